"""Around the page of decision fields."""

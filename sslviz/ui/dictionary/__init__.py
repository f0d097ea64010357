"""Around the page of dictionaries."""

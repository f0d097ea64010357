"""Around the page of FLP."""

"""The page of clusters."""

"""The page "Decision boundaries"."""

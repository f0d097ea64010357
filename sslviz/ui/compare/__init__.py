"""Methods of all families side by side."""

"""Session state, the URL, clicks and labels set by hand."""

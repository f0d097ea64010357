"""Parts of the page "Networks"."""

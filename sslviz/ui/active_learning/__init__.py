"""Parts of the page "Active learning"."""

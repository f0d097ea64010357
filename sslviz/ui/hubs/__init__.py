"""Parts of the page "Hubs"."""

"""Parts of the page "Label propagation"."""

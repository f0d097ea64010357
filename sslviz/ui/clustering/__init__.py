"""Parts of the page "Clustering"."""

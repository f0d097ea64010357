"""Parts of the page "Neighbour graph"."""

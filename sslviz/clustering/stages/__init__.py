"""Kernels of the clusterers: networks and their training, hub affinities, eigenvectors."""

"""Propagation: labels spread along the neighbour graph of all points."""

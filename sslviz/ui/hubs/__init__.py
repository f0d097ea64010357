"""Beside the maps of hubs and of propagation."""

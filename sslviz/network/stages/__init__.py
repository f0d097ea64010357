"""Layers and losses of the networks."""

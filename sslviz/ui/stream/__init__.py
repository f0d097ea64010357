"""Beside the map of streams."""

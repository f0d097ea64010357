"""Choosing, uploading and drawing data sets."""

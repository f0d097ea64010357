"""Figures with frames that the browser plays."""

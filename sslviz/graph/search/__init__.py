"""Nearest neighbours: exact search with filters, and nearest-neighbour descent."""

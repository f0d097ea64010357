"""Kernels of the embeddings: soft labels, objectives, projections."""

"""Kernels of the inductive classifiers."""

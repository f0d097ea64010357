"""Kernels of the stream methods: assignment, merging, weighted propagation."""

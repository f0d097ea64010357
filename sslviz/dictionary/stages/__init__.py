"""Kernels of the dictionary methods: sparse coding, Laplacians, alternation."""

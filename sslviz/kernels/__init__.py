"""Kernel matrices, their centring and spectra, and data-dependent kernels."""

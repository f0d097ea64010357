"""Gram matrices, their centring and spectra, and data-deformed kernels."""

"""Sweeps, comparisons over draws of labels, and the papers' tables."""

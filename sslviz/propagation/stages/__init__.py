"""Kernels of label propagation: absorption, voting, hub graphs."""

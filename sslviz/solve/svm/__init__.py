"""Solvers of support vector machines and of box-constrained quadratic programs."""

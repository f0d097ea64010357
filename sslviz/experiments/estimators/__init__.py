"""Estimators that only the tables use."""

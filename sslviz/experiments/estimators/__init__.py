"""Estimators that only the tables need."""

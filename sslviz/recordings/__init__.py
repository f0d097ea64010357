"""Runs recorded step by step: plain functions and arrays in, records out."""

"""Inductive classifiers: a decision function on the whole space, from labelled and other points."""

"""Classifiers with a rule for every place of the space, learnt from labelled and other points."""

"""Classifiers that train a network: Ladder, VAT classifier, convolutional network."""

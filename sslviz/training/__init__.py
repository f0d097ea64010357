"""Training of networks: the loop, batches, layers and virtual adversarial training."""

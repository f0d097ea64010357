"""Almost no labels: groups found without any, by spectra, hubs and networks."""

"""Charts: arrays in, plotly Figure out."""

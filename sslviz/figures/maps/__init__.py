"""Maps of points: arrays in, plotly Figure out."""

"""Streams: points arrive one by one, are answered at once, and only a summary of them is kept."""

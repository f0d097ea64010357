"""Streamlit components with their JavaScript, and the files they are served from."""

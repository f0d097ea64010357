"""Load test: many visitors at once, each a websocket session that moves the controls of a page."""

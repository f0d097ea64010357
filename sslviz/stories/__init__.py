"""Stories: lessons of a few steps, each a page with its settings, a text and perhaps a question."""

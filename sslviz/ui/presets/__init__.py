"""Settings with a lesson, and how a link applies them."""

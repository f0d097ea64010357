"""Around the page of embeddings."""

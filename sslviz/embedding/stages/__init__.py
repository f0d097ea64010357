"""Array functions of the embeddings: soft labels, objectives, projections."""

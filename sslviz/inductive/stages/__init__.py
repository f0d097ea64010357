"""Array functions of the inductive classifiers."""

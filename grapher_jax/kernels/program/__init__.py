"""Reranking as one program, from padded arrays to the best k, on one device or many."""

"""Iterative rankers: the shared loop, GCS, PageRank, diffusion, and contributions to a score."""

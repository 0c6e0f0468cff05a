"""Rankers that iterate: the loop, GCS, PageRank, diffusion, and what a score is made of."""

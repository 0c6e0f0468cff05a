"""Rankers that iterate: the loop, GCS, personalised PageRank, and what a score is made of."""

"""Rankers: their protocol, fixed points of a graph, and explanations of their scores."""

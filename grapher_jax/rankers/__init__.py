"""Rankers: the protocol, fixed points of a graph, and explanations of what they say."""

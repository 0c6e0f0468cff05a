"""Evaluation of rankings, and of the answers that they lead to."""

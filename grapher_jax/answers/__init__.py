"""Answers to questions, grounded in what was ranked."""

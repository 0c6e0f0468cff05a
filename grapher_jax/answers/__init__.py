"""Answers by a language model, grounded in ranked passages."""

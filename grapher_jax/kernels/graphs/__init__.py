"""Graphs over candidates: their builders, their operators, and the table of proximities."""

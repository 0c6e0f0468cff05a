"""Graphs over candidates: how they are built, their operators, and the table of proximities."""

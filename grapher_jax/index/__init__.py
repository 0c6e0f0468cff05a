"""A corpus made ready, in memory and on disk."""

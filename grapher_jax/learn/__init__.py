"""Training from an index: judged questions become examples, which train a network."""

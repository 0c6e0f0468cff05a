"""Training from an index: judged questions become examples, examples train a network."""

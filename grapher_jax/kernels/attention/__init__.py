"""GATv2 attention: the equation, and the code that computes it over slots or over edges."""

"""GATv2: the equation, and apart from it the passes over neighbour slots."""

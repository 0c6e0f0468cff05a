"""The relations that networks tell apart, in the order in which their weights hold them.

Weights fix how many there are: a proximity that is added to the table later joins candidates as an
edge like any other, and has no number and no embedding of its own.
"""

# GraphER's network: by how many edges of each a candidate is joined to others.
DEGREES = ("foreign_key", "link", "shared_entity", "chunk")
# Proximities whose edges are counted as those of another, which the weights were trained with.
COUNTED_AS = {"inferred_key": "foreign_key"}
# Query-aware GNN retrieval: what an edge is; consecutive chunks are `sequential` in the paper.
RELATIONS = ("sequential", "semantic", "foreign_key", "link", "shared_entity")

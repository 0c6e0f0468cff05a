"""The relations that networks distinguish, in the order of their weights.

The weights fix their number: a proximity that is added to the table later joins candidates like any
other edge, but has no number and no embedding of its own.
"""

# For GraphER's network: the proximities whose edges per candidate are counted.
DEGREES = ("foreign_key", "link", "shared_entity", "chunk")
# Proximities whose edges are counted with those of another, with which the weights were trained.
COUNTED_AS = {"inferred_key": "foreign_key"}
# For query-aware GNN retrieval: the kinds of edges; consecutive chunks are `sequential` in the
# paper.
RELATIONS = ("sequential", "semantic", "foreign_key", "link", "shared_entity")

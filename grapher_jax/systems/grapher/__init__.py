"""GraphER: metadata is computed offline, a graph over the candidates online (arXiv 2603.24925).

| paper | here |
|---|---|
| 2.1, structural proximity | `corpus.database`: foreign keys; `corpus.documents`: hyperlinks |
| 2.1, conceptual proximity | `enrich`: named entities, by an LLM or by spaCy |
| 2.1, contextual proximity | `corpus.documents`: document and chunk numbers |
| 2.2, candidate retrieval, and 3.1, base retriever | `retrieve.hybrid` |
| 2.2, graph construction, and A.3, edge weights | `graph` and `kernels.build_adjacency` |
| 2.2, algorithm 1 and personalised PageRank | `kernels.gcs` and `kernels.ppr` |
| 2.2, graph attention network | `training.gat`, used by `ranker.GatRanker` |
| A.3, choice of α, and training | `evaluation.tune` and `learn.trainer` |

Two things differ: entities of more than 8 objects connect nothing, and the included network was
trained on more data sets than the paper's, with scores, ranks and numbers of neighbours as inputs
instead of embeddings.
"""

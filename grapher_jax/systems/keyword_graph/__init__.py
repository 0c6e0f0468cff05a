"""Keyword-graph RAG's retrieval (Vujić, Njeguš and Bačanin Džakula, Sinteza 2025).

| paper | here |
|---|---|
| 4.2, keywords | `enrich.keywords`: YAKE and k-medoids |
| 4.2, semantic retrieval from ChromaDB, 20 candidates | `retrieve.stores`, in `Index.retrieve` |
| 4.2, cross-encoder, the 10 best | `retrieve.cross_encoder`, in `ranker` |
| 4.2, graph of documents and keywords | `graph.KeywordGraph` |
| 4.2, personalised PageRank | `kernels.ppr` over `kernels.WeightedEdges` |
| 4.2, normalised merge, diversity | `kernels.min_max`, `kernels.maximal_marginal_relevance` |
| 4.2, confidence threshold | `ranker.KeywordRanker.threshold` |
| 5.1, precision, nDCG, recall that the graph adds | `evaluate` |

Without a cross-encoder, the cosine is used instead, and for an index without keywords, its
entities; reports and warnings say so. docs/decisions.md tells what else the paper leaves open.
"""

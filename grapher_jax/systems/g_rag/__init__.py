"""G-RAG: reranking with a graph of documents that share concepts (Dong et al., arXiv 2405.18414).

| paper | here |
|---|---|
| 3.1, AMR graphs | `corpus.amr`; parsed by `enrich.amr`, or given next to the judgements |
| 3.1, document graph | `concepts`; without isolated documents in `training.g_rag.GRag` |
| 3.2.1, concept sequences (equation 2) | `corpus.amr.concept_sequence` |
| 3.2.2, edge features (equation 6) | `kernels.document_edges` |
| 3.2.3, messages and edges (equations 7 to 9) | `kernels.mean_messages`, `kernels.mean_edges` |
| 3.2.4, score (equation 11) | `training.g_rag.GRag` |
| 3.2.4, losses (equations 12 and 13) | `training.losses`: `softmax` and `hinge` |
| 4.1, dense retrieval of 100 documents | `Index.retrieve` |
| 4.1.1, metrics | `kernels.ranking.metrics`, in `evaluate` |
| 4.4, a language model as the reranker | `systems.llm` |
| B, other layers | `training.g_rag.LAYERS` |

Where there is no AMR, entities and keywords stand in for concepts, and every report says so.
docs/decisions.md tells what else the paper leaves open.
"""

"""A language model as the reranker, a baseline of G-RAG (arXiv 2405.18414).

| paper | here |
|---|---|
| 4.1, dense retrieval of 100 documents | `Index.retrieve` |
| 4.4 and D, relevance from 0 to 100 | `ranker.LlmRanker`, with its own prompt |
| 4.1.1, metrics for ties | `kernels.ranking.metrics`, in `evaluate` |

The paper uses PaLM 2; here it is any model behind an OpenAI-compatible endpoint.
"""

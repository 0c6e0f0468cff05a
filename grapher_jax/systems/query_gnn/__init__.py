"""Query-aware graph neural networks for retrieval (Agrawal et al., MLoG-GenAI at KDD 2025).

| paper | here |
|---|---|
| 4.1, index search | `Index.retrieve`, dense alone |
| 4.2, hard questions | `enrich.questions` |
| 5.1, two stages of training | `training.query_gnn_stages` |
| A.1, episode graph | `object_graph`; further relations if the metadata has them |
| A.2, edge-aware attention | `training.query_gnn.Encoder`, on `kernels.gatv2_attention` |
| A.3, query-guided pooling | `training.query_gnn.Scorer` |
| A.4 and A.7, fusion and scoring head | `training.query_gnn.Scorer` |
| A.5, conversion, isolated nodes | `training.ego_graphs.EgoGraphs.alone` |
| A.6, score fusion | `training.query_gnn.fuse` |
| A.8, query-aware sub-graph | `kernels.expand_seeds`, in `training.ego_graphs.cut_graphs` |
| A.9, score adjustment | `kernels.adjust_scores`, as the fusion's second score |

The paper scores graphs; here each candidate is scored by the graph around it. A candidate without
edges gets the retriever's score instead of the network's. docs/decisions.md lists what else the
paper leaves open.
"""

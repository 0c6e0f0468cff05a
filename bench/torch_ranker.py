"""The learned ranker in PyTorch and PyTorch Geometric: the same network, loss and optimiser.

Needs both; `ranker_training.py` imports it where they are installed.
"""

import warnings
from collections.abc import Callable, Mapping

import numpy as np
from numpy import ndarray

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import torch
    from torch import Tensor
    from torch.nn import functional
    from torch_geometric.nn import GATv2Conv

NOBODY = -1e9


class Layer(torch.nn.Module):
    """One layer of GATv2 behind a layer norm, with a residual."""

    def __init__(self, heads: int, channels: int, dropout: float) -> None:
        super().__init__()
        width = heads * channels
        self.norm = torch.nn.LayerNorm(width, eps=1e-6)
        # The edges bring their self loops, which saves the layer adding them at every call.
        self.attention = GATv2Conv(width, channels, heads, bias=False, add_self_loops=False)
        self.bias = torch.nn.Parameter(torch.zeros(width))
        self.dropout = dropout

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        """`[nodes, width]` from the same."""
        heard = functional.elu(self.attention(self.norm(x), edges) + self.bias)
        return x + functional.dropout(heard, self.dropout, self.training)


class Ranker(torch.nn.Module):
    """Five layers of attention and two dense ones, beside a linear score."""

    def __init__(
        self, scalars: int, *, layers: int, heads: int, channels: int, dropout: float
    ) -> None:
        super().__init__()
        width = heads * channels
        self.inputs = torch.nn.Linear(scalars, width, bias=False)
        self.layers = torch.nn.ModuleList([Layer(heads, channels, dropout) for _ in range(layers)])
        self.hidden = torch.nn.Linear(width, width)
        self.score = torch.nn.Linear(width, 1, bias=False)
        self.direct = torch.nn.Parameter(torch.zeros(scalars))

    def forward(self, scalars: Tensor, edges: Tensor) -> Tensor:
        """`[nodes]` scores."""
        x = self.inputs(scalars)
        for layer in self.layers:
            x = layer(x, edges)
        return self.score(functional.elu(self.hidden(x)))[:, 0] + scalars @ self.direct

    def by_our_names(self) -> dict[str, Tensor]:
        """The parameters as our network names them; matrices are transposed there."""
        named = {
            "inputs/scalars/kernel": self.inputs.weight,
            "hidden/kernel": self.hidden.weight,
            "hidden/bias": self.hidden.bias,
            "score/kernel": self.score.weight,
            "direct": self.direct,
        }
        for number, layer in enumerate(self.layers):
            named |= {
                f"layers/{number}/norm/scale": layer.norm.weight,
                f"layers/{number}/norm/bias": layer.norm.bias,
                f"layers/{number}/sources/kernel": layer.attention.lin_l.weight,
                f"layers/{number}/targets/kernel": layer.attention.lin_r.weight,
                f"layers/{number}/attention": layer.attention.att,
                f"layers/{number}/bias": layer.bias,
            }
        return named

    def load(self, weights: Mapping[str, ndarray]) -> None:
        """Take our network's weights."""
        with torch.no_grad():
            for name, parameter in self.by_our_names().items():
                own = weights[name].T if name.endswith("kernel") else weights[name]
                parameter.copy_(torch.tensor(own.reshape(parameter.shape)))

    def weights(self) -> dict[str, ndarray]:
        """Its weights, as our network has them."""
        return {name: _ours(name, p.detach()) for name, p in self.by_our_names().items()}

    def gradients(self) -> dict[str, ndarray]:
        """Those of the last backward pass, as our network has them."""
        return {name: _ours(name, p.grad) for name, p in self.by_our_names().items()}


def _ours(name: str, values: Tensor) -> ndarray:
    array = values.numpy().copy()
    return array.T if name.endswith("kernel") else array.reshape(array.shape[-2:])


def perfect_recall_loss(scores: Tensor, relevant: Tensor, mask: Tensor, k: int = 10) -> Tensor:
    """`[B]`, as `grapher_jax.training.losses.perfect_recall_loss`."""
    count = relevant.sum(-1)
    others = torch.where(mask & ~relevant, scores, NOBODY)
    best = others.topk(k).values
    decides = best.gather(1, (k - count).clamp(0, k - 1)[:, None])[:, 0]
    decides = torch.where(k - count < k, decides, NOBODY)
    lowest = torch.where(relevant, scores, -NOBODY).amin(-1)
    crowd = others.logsumexp(-1, keepdim=True)
    each = torch.where(relevant, functional.softplus(crowd - scores), 0.0).sum(-1)
    return 0.5 * each / count.clamp(min=1) + functional.softplus(decides - lowest)


def optimizer(ranker: Ranker, *, rate: float, weight_decay: float) -> torch.optim.Optimizer:
    """AdamW, in one pass over all weights; only matrices decay."""
    named = ranker.by_our_names()
    decaying = [p for name, p in named.items() if name.endswith(("kernel", "attention"))]
    others = [p for name, p in named.items() if not name.endswith(("kernel", "attention"))]
    groups = [{"params": decaying}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, weight_decay=weight_decay, fused=True)


class Part:
    """Some questions of a batch as one graph.

    Args:
        scalars: `[b, n, s]`.
        neighbors: `[b, n, k]`, -1 for nobody.
        mask: `[b, n]`.
        relevant: `[b, n]`.
        compressed: hold the edges as a compressed adjacency instead of a list.
    """

    def __init__(
        self,
        scalars: ndarray,
        neighbors: ndarray,
        mask: ndarray,
        relevant: ndarray,
        *,
        compressed: bool = False,
    ) -> None:
        questions, n, _ = scalars.shape
        own = np.broadcast_to(np.arange(n)[:, None], (questions, n, 1))
        slots = np.concatenate([own, neighbors], axis=-1)
        question, hearer, slot = np.nonzero((slots >= 0) & mask[..., None])
        speaker = slots[question, hearer, slot]
        real = mask[question, speaker]
        pairs = np.stack([speaker, hearer])[:, real] + n * question[real]
        self.edges = torch.from_numpy(pairs.astype(np.int64))
        if compressed:
            ones, size = torch.ones(pairs.shape[1]), (questions * n, questions * n)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that this form is new
                self.edges = torch.sparse_coo_tensor(self.edges.flip(0), ones, size).to_sparse_csr()
        self.scalars = torch.tensor(scalars).reshape(questions * n, -1)
        self.mask, self.relevant = torch.tensor(mask), torch.tensor(relevant)

    def scores(self, forward: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
        """`[b, n]` scores, 0 where masked."""
        scores = forward(self.scalars, self.edges).reshape(self.mask.shape)
        return torch.where(self.mask, scores, 0.0)

    def loss(self, forward: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
        """The sum over the questions."""
        return perfect_recall_loss(self.scores(forward), self.relevant, self.mask).sum()

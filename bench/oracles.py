"""What kernels and networks compute, in float64 NumPy and in the words of the definitions.

Of one question each, whose candidates are all real where a function takes no mask. Tests and
benchmarks share them, and they need NumPy alone.
"""

import math

import numpy as np


def without_masked(A, mask=None):
    """The adjacency as float64, with nothing in masked rows and columns."""
    A = A.astype(np.float64)
    return A if mask is None else A * np.outer(mask, mask)


def gcs(A, s, alpha, mask=None):
    """Graph Cohesive Smoothing, solved."""
    A, s = without_masked(A, mask), s.astype(np.float64)
    s = s if mask is None else s * mask
    rows = A.sum(1, keepdims=True)
    W = np.divide(A, rows, out=np.zeros_like(A), where=rows > 0)
    p = np.linalg.solve(np.eye(len(s)) - (1 - alpha) * W, alpha * s)
    return np.maximum(p, s)


def ppr(A, s, alpha, mask=None):
    """Personalised PageRank, solved, dangling mass returning to the seed."""
    A, s = without_masked(A, mask), np.maximum(s.astype(np.float64), 0)
    real = np.ones(len(s)) if mask is None else mask.astype(float)
    s = s * real
    v = s / s.sum() if s.sum() > 0 else real / max(real.sum(), 1)
    columns = A.sum(0, keepdims=True)
    W = np.divide(A, columns, out=np.zeros_like(A), where=columns > 0)
    W += np.outer(v, columns[0] == 0)
    return np.linalg.solve(np.eye(len(s)) - (1 - alpha) * W, alpha * v)


def seeds(s, mask=None, temperature=None, gap_part=0.25):
    """The sharpened scores of diffusion."""
    s = s.astype(np.float64)
    real = np.ones(len(s), bool) if mask is None else mask
    e = np.zeros(len(s))
    if not real.any():
        return e
    best_first = np.sort(s[real])[::-1]
    if temperature is None:
        gap = best_first[0] - best_first[:10][-1]
        temperature = max(gap_part * gap, (best_first[0] - best_first[-1]) / 80) or 1.0
    e[real] = np.exp((s[real] - best_first[0]) / temperature)
    return e / e.sum()


def diffusion(A, s, alpha, mask=None, temperature=None, gap_part=0.25, least_degree=0.0):
    """Diffusion of the sharpened scores, solved."""
    A = without_masked(A, mask)
    A = (A + A.T) / 2
    A += np.diag(np.maximum(least_degree - A.sum(1), 0))
    degrees = A.sum(1)
    roots = np.divide(1, np.sqrt(degrees), out=np.zeros(len(s)), where=degrees > 0)
    W = roots[:, None] * A * roots
    e = seeds(s, mask, temperature, gap_part)
    return np.linalg.solve(np.eye(len(s)) - (1 - alpha) * W, alpha * e)


def _pairs(n, mask, weight):
    A = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j and (mask is None or (mask[i] and mask[j])):
                A[i, j] = weight(i, j)
    return A


def shared_entities(ids, counts=None, mask=None):
    """`|Ei ∩ Ej| / |Ej|`, by sets."""
    sets = [set(row) - {-1} for row in ids.tolist()]
    sizes = [len(entities) for entities in sets] if counts is None else counts
    return _pairs(
        len(ids), mask, lambda i, j: len(sets[i] & sets[j]) / sizes[j] if sizes[j] else 0.0
    )


def references(object_ids, named, mask=None):
    """1 where either names the other."""
    ids = np.asarray(object_ids).tolist()
    targets = [set(row) for row in np.asarray(named).tolist()]

    def one_way(i, j):
        return ids[j] != -1 and ids[j] in targets[i]

    return _pairs(len(ids), mask, lambda i, j: one_way(i, j) or one_way(j, i))


def chunks(documents, places, mask=None):
    """1 between consecutive chunks of a document."""

    def follows(i, j):
        known = min(documents[i], documents[j], places[i], places[j]) >= 0
        return known and documents[i] == documents[j] and abs(places[i] - places[j]) == 1

    return _pairs(len(documents), mask, follows)


def semantic(embeddings, k, threshold, mask=None):
    """Where no two cosines are alike, so that no tie is broken."""
    vectors = embeddings.astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    cosine = _pairs(len(vectors), mask, lambda i, j: unit[i] @ unit[j])
    nearest = np.argsort(-cosine, axis=1, kind="stable")[:, :k]
    near = np.zeros(cosine.shape, bool)
    np.put_along_axis(near, nearest, True, axis=1)
    return np.where(near & (cosine > threshold), cosine, 0.0)


def graph(arrays, mask=None):
    """The sum of all proximities but the semantic one, from the arrays of `kernels.rerank`."""
    n = arrays["scores"].shape[-1]
    parts = [np.zeros((n, n))]
    if "entity_ids" in arrays:
        parts.append(shared_entities(arrays["entity_ids"], arrays.get("entity_counts"), mask))
    named = [arrays[name] for name in ("foreign_keys", "inferred_keys", "links") if name in arrays]
    parts += [references(arrays["object_ids"], one, mask) for one in named]
    if "document_ids" in arrays:
        parts.append(chunks(arrays["document_ids"], arrays["chunk_ids"], mask))
    return sum(parts)


def attention(
    sources, targets, attention, neighbors, *, mask=None, self_loops=True, edges=None, slope=0.2
):
    """GATv2's equation 7, edge by edge."""
    n, h, c = sources.shape
    sources, targets = sources.astype(np.float64), targets.astype(np.float64)
    real = np.ones(n, bool) if mask is None else mask
    out = np.zeros((n, h, c))
    for i in np.flatnonzero(real):
        heard = [
            (j, 0 if edges is None else edges[i, s])
            for s, j in enumerate(neighbors[i])
            if j >= 0 and real[j]
        ]
        if self_loops:
            heard = [(j, e) for j, e in heard if j != i] + [(i, 0)]
        if not heard:
            continue
        met = np.stack([targets[i] + sources[j] + e for j, e in heard])
        logits = (np.where(met > 0, met, slope * met) * attention).sum(-1)
        weights = np.exp(logits - logits.max(0))
        weights /= weights.sum(0)
        out[i] = (weights[..., None] * np.stack([sources[j] for j, _ in heard])).sum(0)
    return out


def first_neighbors(A, most):
    """`[n, most]` the first candidates that each is joined to, -1 where there are fewer."""
    listed = np.full((len(A), most), -1)
    for own, row in zip(listed, A, strict=True):
        first = np.flatnonzero(row)[:most]
        own[: len(first)] = first
    return listed


def scalars(arrays):
    """What a learned ranker reads of `CandidateBatch`'s arrays; smoothed scores are theirs."""
    cosine = arrays["objects"].astype(np.float64) @ arrays["questions"].astype(np.float64)
    read = [arrays["scores"].astype(np.float64), arrays["smoothed"].astype(np.float64), cosine]
    columns = [(values - values.mean()) / values.std() for values in read]
    for values in read:
        ranks = np.empty(len(values))
        ranks[np.argsort(-values, kind="stable")] = np.arange(len(values))
        columns.append(np.log1p(ranks) / np.log(200))
    heard = [columns[1][slots[slots >= 0]] for slots in arrays["neighbors"]]
    means = [
        one.mean() - own if len(one) else 0 for one, own in zip(heard, columns[1], strict=True)
    ]
    return np.stack([*columns, means, *np.log1p(arrays["degrees"].astype(np.float64)).T], axis=1)


def gat(weights, arrays, heads):
    """The scores of GraphER's network, of its weights as nested dictionaries."""
    read = {"scalars": scalars(arrays)}
    read |= {name: arrays[name].astype(np.float64) for name in ("words", "meanings")}
    x = sum(read[name] @ given["kernel"] for name, given in weights["inputs"].items())
    for layer in weights["layers"].values():
        normal = _layer_norm(x, layer["norm"], 1e-6)
        sides = [(normal @ layer[side]["kernel"]).reshape(len(x), heads, -1) for side in _SIDES]
        message = attention(*sides, layer["attention"], arrays["neighbors"]).reshape(x.shape)
        x = x + _elu(message + layer["bias"])
    hidden = _elu(x @ weights["hidden"]["kernel"] + weights["hidden"]["bias"])
    return (hidden @ weights["score"]["kernel"])[:, 0] + read["scalars"] @ weights["direct"]


def perfect_recall(scores, relevant, k=10):
    """The loss of `docs/concepts/losses.md`."""
    others, own = np.sort(scores[~relevant])[::-1], scores[relevant]
    crowd = np.logaddexp.reduce(others)
    place = max(k - len(own), 0)
    decides = np.logaddexp(0, others[place] - own.min()) if place < len(others) else 0.0
    return 0.5 * np.logaddexp(0, crowd - own).mean() + decides


def bert(weights, tokens, length, heads, epsilon=1e-12):
    """The embedding of one text, of BERT's weights as nested dictionaries."""
    x = weights["words"][tokens[:length]] + weights["kinds"][0]
    x = _layer_norm(x + weights["positions"][:length], weights["norm"], epsilon)
    for layer in weights["layers"]:
        q, k, v = (
            _affine(x, layer[name]).reshape(length, heads, -1) for name in ("query", "key", "value")
        )
        logits = np.einsum("qhc,khc->hqk", q, k) / math.sqrt(q.shape[-1])
        shares = np.exp(logits - logits.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        heard = np.einsum("hqk,khc->qhc", shares, v).reshape(x.shape)
        x = _layer_norm(x + _affine(heard, layer["attended"]), layer["attended_norm"], epsilon)
        inner = _affine(x, layer["inner"])
        inner *= (1 + _erf(inner / math.sqrt(2))) / 2
        x = _layer_norm(x + _affine(inner, layer["output"]), layer["norm"], epsilon)
    pooled = x.mean(0)
    return pooled / np.linalg.norm(pooled)


_SIDES = ("sources", "targets")
_erf = np.vectorize(math.erf, otypes=[np.float64])


def _affine(x, given):
    return x @ given["kernel"] + given["bias"]


def _layer_norm(x, given, epsilon):
    centred = x - x.mean(-1, keepdims=True)
    scale = np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon)
    return centred / scale * given["scale"] + given["bias"]


def _elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))

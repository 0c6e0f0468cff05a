"""What the kernels compute, in float64 NumPy and in the words of the definitions."""

import numpy as np


def without_masked(A, mask=None):
    """The adjacency as float64, with nothing in masked rows and columns."""
    A = A.astype(np.float64)
    return A if mask is None else A * np.outer(mask, mask)


def gcs(A, s, alpha, mask=None):
    A, s = without_masked(A, mask), s.astype(np.float64)
    s = s if mask is None else s * mask
    rows = A.sum(1, keepdims=True)
    W = np.divide(A, rows, out=np.zeros_like(A), where=rows > 0)
    p = np.linalg.solve(np.eye(len(s)) - (1 - alpha) * W, alpha * s)
    return np.maximum(p, s)


def ppr(A, s, alpha, mask=None):
    A, s = without_masked(A, mask), np.maximum(s.astype(np.float64), 0)
    real = np.ones(len(s)) if mask is None else mask.astype(float)
    s = s * real
    v = s / s.sum() if s.sum() > 0 else real / max(real.sum(), 1)
    columns = A.sum(0, keepdims=True)
    W = np.divide(A, columns, out=np.zeros_like(A), where=columns > 0)
    W += np.outer(v, columns[0] == 0)
    return np.linalg.solve(np.eye(len(s)) - (1 - alpha) * W, alpha * v)


def seeds(s, mask=None, temperature=None):
    s = s.astype(np.float64)
    real = np.ones(len(s), bool) if mask is None else mask
    e = np.zeros(len(s))
    if not real.any():
        return e
    best_first = np.sort(s[real])[::-1]
    if temperature is None:
        gap = best_first[0] - best_first[:10][-1]
        temperature = max(gap / 4, (best_first[0] - best_first[-1]) / 80) or 1.0
    e[real] = np.exp((s[real] - best_first[0]) / temperature)
    return e / e.sum()


def diffusion(A, s, alpha, mask=None, temperature=None):
    A = without_masked(A, mask)
    A = (A + A.T) / 2
    degrees = A.sum(1)
    roots = np.divide(1, np.sqrt(degrees), out=np.zeros(len(s)), where=degrees > 0)
    W = roots[:, None] * A * roots
    return np.linalg.solve(np.eye(len(s)) - (1 - alpha) * W, alpha * seeds(s, mask, temperature))


def _pairs(n, mask, weight):
    A = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j and (mask is None or (mask[i] and mask[j])):
                A[i, j] = weight(i, j)
    return A


def shared_entities(ids, counts=None, mask=None):
    sets = [set(row) - {-1} for row in ids.tolist()]
    sizes = [len(entities) for entities in sets] if counts is None else counts
    return _pairs(
        len(ids), mask, lambda i, j: len(sets[i] & sets[j]) / sizes[j] if sizes[j] else 0.0
    )


def references(object_ids, named, mask=None):
    def one_way(i, j):
        return object_ids[j] != -1 and object_ids[j] in named[i]

    return _pairs(len(object_ids), mask, lambda i, j: one_way(i, j) or one_way(j, i))


def chunks(documents, places, mask=None):
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

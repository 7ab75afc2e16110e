"""What a network answers on rows, and how well that tells them apart."""
import jax
import numpy as np

import encoder


def answers(logits, p, groups, out, exact=False):
    """Fills out, [rows] or [rows, answers], with logits(p, pooled [n, WIDTH]) of the batches
    that batches.grouped made of the rows; exact is in float32 throughout."""
    run = jax.jit(lambda q, i, m: logits(q, encoder.pool(encoder.encode(q, encoder.embed(q, i), m, exact=exact), m)))
    for index, block, mask in groups:
        z = np.asarray(run(p, block, mask))
        keep = index >= 0
        out[index[keep]] = z[keep]
    return out


def auc(score, yes):
    """The share of pairs of one that is and one that is not in which the first scores higher."""
    order = np.argsort(score, kind="stable")
    s, rank = score[order], np.empty(len(score))
    start = np.flatnonzero(np.r_[True, s[1:] != s[:-1]])
    size = np.diff(np.r_[start, len(s)])
    rank[order] = np.repeat(start + (size + 1) / 2, size)
    n = yes.sum()
    return (rank[yes].sum() - n * (n + 1) / 2) / max(1, n * (len(yes) - n))

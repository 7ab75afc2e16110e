"""Batches of rows of ids, and what is hidden in them."""
import numpy as np


def grouped(ids, tokens, buckets, pad, empty, rng=None):
    """Groups rows of like length: (indexes [n], ids [n, t], mask [n, t]) with n·t at most tokens
    and t one of buckets, which rise; by chance if there is rng. Every batch of a length has as
    many rows, so that few shapes are compiled; rows that fill up a batch have index -1 and the
    ids empty. pad is the id behind a row's end, where mask is 0."""
    order = np.arange(len(ids)) if rng is None else rng.permutation(len(ids))
    waiting, out = {b: [] for b in buckets}, []

    def close(bucket, group):
        n = max(1, tokens // bucket)
        group = group + [-1] * (n - len(group))
        block, mask = np.full((n, bucket), pad, np.int32), np.zeros((n, bucket), np.float32)
        for k, i in enumerate(group):
            row = ids[i] if i >= 0 else empty
            block[k, : len(row)], mask[k, : len(row)] = row, 1
        out.append((np.array(group), block, mask))

    for i in order:
        bucket = next(b for b in buckets if len(ids[i]) <= b)
        waiting[bucket].append(int(i))
        if len(waiting[bucket]) == max(1, tokens // bucket):
            close(bucket, waiting[bucket])
            waiting[bucket] = []
    for bucket, group in waiting.items():
        if group:
            close(bucket, group)
    if rng is not None:
        out = [out[i] for i in rng.permutation(len(out))]
    return out


def hide(ids, rng, share, mask, special):
    """Puts the id mask in the place of a share of the tokens that are not special: no single
    word may carry the verdict."""
    some = (rng.random(ids.shape) < share) & ~np.isin(ids, special)
    return np.where(some, mask, ids)

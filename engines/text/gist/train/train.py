"""Trains the upper layers of the base further, and a head, on data.KINDS.

Runs for at most --seconds, leaves a checkpoint, and goes on from it when called again;
the result of one seed does not depend on where it was cut.
"""
import argparse
import math
import os
import time

import jax
import jax.numpy as jnp
import numpy as np

import base
import data
import model
from shared import batches, checkpoint, encoder, optimise

RATE = 1.5e-4  # the largest of Adam's steps
DROP, HIDE = 0.2, 0.15  # dropout in trained layers, share of tokens hidden behind <mask>
TOKENS = 1536  # a batch's
MASK, SPECIAL = 250001, (0, 1, 2)


def loss(trained, fixed, ids, mask, y, weight, key, frozen):
    p = {**fixed, **trained}
    x = jax.lax.stop_gradient(encoder.encode(p, encoder.embed(p, ids), mask, last=frozen))
    x = encoder.encode(p, x, mask, first=frozen, key=key, rate=DROP)
    pooled = encoder.drop(encoder.pool(x, mask), jax.random.fold_in(key, 99), DROP)  # no layer has that number
    z = model.logits(p, pooled)
    return jnp.sum(weight * (jax.nn.softplus(z) - y * z)) / jnp.maximum(jnp.sum(weight), 1) * len(data.KINDS)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--base", required=True, help="e5-small-q4.bin")
    a.add_argument("--data", required=True, help="folder of the shared text data")
    a.add_argument("--lines", required=True, help="folder of written lines")
    a.add_argument("--out", required=True, help="the checkpoint (.npz)")
    a.add_argument("--frozen", type=int, default=2, help="layers that stay the base's")
    a.add_argument("--epochs", type=float, default=3)
    a.add_argument("--start", help="a checkpoint of another run, from whose weights this one starts")
    a.add_argument("--fresh", nargs="*", default=[], help="ends of the names of files whose lines --start has not read: they come four times as often as others")
    a.add_argument("--contrasts", type=float, default=1, help="share of the rows of hate and its look-alikes")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--seconds", type=float, default=1e9, help="when to stop and leave a checkpoint")
    o = a.parse_args()
    began = time.time()
    packed = base.Packed(o.base)
    reader, p = data.Reader(packed), {**model.weights(packed), **model.head(o.seed)}
    del packed.raw  # the whole file, whose tensors are out of it now
    lines, (groups, contrasts), todo = data.written(o.lines, o.seed), data.given(o.data), []
    languages = {r[1] for r in lines}
    for e in range(math.ceil(o.epochs)):
        own = data.varied(data.share(lines, tuple(o.fresh), o.seed * 100 + e), o.seed * 100 + e)
        rows = own + data.sample(groups, contrasts, languages, o.seed * 100 + e, o.contrasts)
        ids = reader.ids([r[0] for r in rows])
        bits = np.arange(len(data.KINDS))
        y = np.array([r[2] for r in rows] + [0])[:, None] >> bits & 1
        w = (np.array([r[3] for r in rows] + [0])[:, None] >> bits & 1) * np.array([r[4] for r in rows] + [0])[:, None]
        todo += [(y[i].astype(np.float32), w[i].astype(np.float32), b, m) for i, b, m in data.batches(ids, TOKENS, np.random.default_rng((o.seed, e)))]
        print(f"epoch {e}: {len(own)} lines and {len(rows) - len(own)} given rows, {sum(map(len, ids))} tokens; yes {y.sum(0)}, asked {(w > 0).sum(0)}; {len(todo)} steps so far, {time.time() - began:.0f} s", flush=True)
    # A part of the last epoch: the rate falls to nothing at its end, wherever that is.
    todo = todo[: round(len(todo) * o.epochs / math.ceil(o.epochs))]
    if o.start:
        f = np.load(o.start)
        # Its answers may have been others, in whose place the head's new ones stay.
        same = lambda k: k in f.files and f[k].shape == p[k[len("mean/") :]].shape
        p.update({k: f["mean/" + k] for k in p if same("mean/" + k)})
    p = {k: jnp.asarray(v) for k, v in p.items()}
    state, fixed = optimise.begin(p, o.frozen)
    n = 0
    if os.path.exists(o.out):
        state, n = checkpoint.restore(o.out)
    step = optimise.stepper(loss, RATE)
    value, first = 0.0, n
    while n < len(todo) and time.time() - began < o.seconds:
        y, w, block, mask = todo[n]
        block = batches.hide(block, np.random.default_rng((o.seed, n, 7)), HIDE, MASK, SPECIAL)
        state, l = step(state, fixed, block, mask, y, w, float(n), float(len(todo)), o.seed, o.frozen)
        value += float(l)
        n += 1
        if n % 50 == 0:
            print(f"step {n} of {len(todo)} loss {value / 50:.4f} {time.time() - began:.0f} s", flush=True)
            value = 0.0
        if n % 500 == 0:
            checkpoint.save(o.out, state, n)
    checkpoint.save(o.out, state, n)
    print(f"saved at step {n} of {len(todo)}: {n - first} steps in {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    encoder.keep_compiled("gist")
    main()

"""Fine-tunes the upper layers of the base on hate and what only looks like it.

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

import data
import model
from shared import batches, checkpoint, encoder, optimise

RATE = 1.2e-4  # the largest of Adam's steps
DROP, HIDE = 0.1, 0.05  # dropout in trained layers, share of tokens hidden behind [MASK]
TOKENS = 1536  # a batch's
MASK, SPECIAL = 103, (0, 101, 102)


def loss(trained, fixed, ids, mask, y, weight, key, frozen):
    p = {**fixed, **trained}
    x = encoder.embed(p, ids)
    if frozen:
        x = jax.lax.stop_gradient(encoder.encode(p, x, mask, last=frozen))
    x = encoder.encode(p, x, mask, first=frozen, key=key, rate=DROP)
    pooled = encoder.drop(encoder.pool(x, mask), jax.random.fold_in(key, 99), DROP)
    z = model.logits(p, pooled)
    return jnp.sum(weight * (jax.nn.softplus(z) - y * z)) / jnp.maximum(jnp.sum(weight), 1)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--base", required=True, help="folder with model.safetensors and vocab.txt")
    a.add_argument("--data", required=True, help="folder of the shared text data")
    a.add_argument("--lines", nargs="*", default=[], help="files of written lines")
    a.add_argument("--out", required=True, help="the checkpoint (.npz)")
    a.add_argument("--frozen", type=int, default=2)
    a.add_argument("--epochs", type=float, default=1.5)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--seconds", type=float, default=1e9)
    o = a.parse_args()
    began = time.time()
    rows = data.training(o.data, o.lines, o.seed)
    ids = data.Reader(os.path.join(o.base, "vocab.txt")).ids([r[0] for r in rows])
    y = np.array([r[1] for r in rows] + [0], np.float32)
    weight = np.array([r[2] for r in rows] + [0], np.float32)
    p = {**model.load(os.path.join(o.base, "model.safetensors")), **model.head(o.seed)}
    p = {k: jnp.asarray(v) for k, v in p.items()}
    state, fixed = optimise.begin(p, o.frozen)
    n = 0
    if os.path.exists(o.out):
        state, n = checkpoint.restore(o.out)
    epoch = [data.batches(ids, TOKENS, np.random.default_rng((o.seed, e))) for e in range(math.ceil(o.epochs))]
    todo = [b for e in epoch for b in e]
    todo = todo[: round(len(todo) * o.epochs / len(epoch))]
    print(f"{len(rows)} rows, {int(y.sum())} hate, {len(todo)} steps, from {n}", flush=True)
    step = optimise.stepper(loss, RATE)
    value, first = 0.0, n
    while n < len(todo) and time.time() - began < o.seconds:
        index, block, mask = todo[n]
        block = batches.hide(block, np.random.default_rng((o.seed, n, 7)), HIDE, MASK, SPECIAL)
        state, l = step(state, fixed, block, mask, y[index], weight[index], float(n), float(len(todo)), o.seed, o.frozen)
        value += float(l)
        n += 1
        if n % 50 == 0:
            print(f"step {n} loss {value / 50:.4f} {time.time() - began:.0f} s", flush=True)
            value = 0.0
    checkpoint.save(o.out, state, n)
    print(f"saved at step {n} of {len(todo)}: {n - first} steps in {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    encoder.keep_compiled("meaning")
    main()

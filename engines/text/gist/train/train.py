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

RATE, WARM, DECAY = 1.5e-4, 0.06, 0.01  # Adam's step, share of steps to warm up, weight decay
DROP, HIDE = 0.1, 0.05  # dropout in trained layers, share of tokens hidden behind <mask>
TOKENS = 1536  # a batch's
BETA1, BETA2, TINY = 0.9, 0.98, 1e-6
KEEP = 0.998  # of the running mean of the weights, which is what ships
MASK, SPECIAL = 250001, (0, 1, 2)


def is_trained(name, frozen):
    return name.startswith("head.") or name.startswith("encoder.") and int(name.split(".")[2]) >= frozen


def loss(trained, fixed, ids, mask, y, weight, key, frozen):
    p = {**fixed, **trained}
    x = jax.lax.stop_gradient(model.encode(p, model.embed(p, ids), mask, last=frozen))
    x = model.encode(p, x, mask, first=frozen, key=key, rate=DROP)
    pooled = model.drop(model.pool(x, mask), jax.random.fold_in(key, 99), DROP)  # no layer has that number
    z = model.logits(p, pooled)
    return jnp.sum(weight * (jax.nn.softplus(z) - y * z)) / jnp.maximum(jnp.sum(weight), 1) * len(data.KINDS)


def step(state, fixed, ids, mask, y, weight, n, total, seed, frozen):
    key = jax.random.fold_in(jax.random.key(seed), n)
    value, grad = jax.value_and_grad(loss)(state["p"], fixed, ids, mask, y, weight, key, frozen)
    size = jnp.sqrt(sum(jnp.vdot(g, g) for g in grad.values()))
    clip = jnp.minimum(1.0, 1.0 / (size + 1e-6))
    at = n / total
    rate = RATE * jnp.maximum(jnp.minimum(at / WARM, (1 - at) / (1 - WARM)), 0)
    t = n + 1.0
    new = {"p": {}, "m": {}, "v": {}, "mean": {}}
    for k, g in grad.items():
        g = g * clip
        m = BETA1 * state["m"][k] + (1 - BETA1) * g
        v = BETA2 * state["v"][k] + (1 - BETA2) * g * g
        move = (m / (1 - BETA1**t)) / (jnp.sqrt(v / (1 - BETA2**t)) + TINY)
        p = state["p"][k]
        if p.ndim == 2:
            move = move + DECAY * p
        p = p - rate * (5.0 if k.startswith("head.") else 1.0) * move
        keep = jnp.minimum(KEEP, t / (t + 10))
        new["p"][k], new["m"][k], new["v"][k] = p, m, v
        new["mean"][k] = keep * state["mean"][k] + (1 - keep) * p
    return new, value


def hide(ids, rng):
    """Puts <mask> in the place of some tokens: no single word may carry the verdict."""
    some = (rng.random(ids.shape) < HIDE) & ~np.isin(ids, SPECIAL)
    return np.where(some, MASK, ids)


def save(path, state, n):
    flat = {f"{part}/{k}": np.asarray(v) for part, d in state.items() for k, v in d.items()}
    np.savez(path + ".new.npz", step=n, **flat)
    os.replace(path + ".new.npz", path)


def restore(path):
    state, f = {}, np.load(path)
    for name in f.files:
        if name != "step":
            part, k = name.split("/", 1)
            state.setdefault(part, {})[k] = jnp.asarray(f[name])
    return state, int(f["step"])


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--base", required=True, help="e5-small-q4.bin")
    a.add_argument("--data", required=True, help="folder of the shared text data")
    a.add_argument("--lines", required=True, help="folder of written lines")
    a.add_argument("--out", required=True, help="the checkpoint (.npz)")
    a.add_argument("--frozen", type=int, default=2, help="layers that stay the base's")
    a.add_argument("--epochs", type=float, default=3)
    a.add_argument("--start", help="a checkpoint of another run, from whose weights this one starts")
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
        rows = lines + data.sample(groups, contrasts, languages, o.seed * 100 + e)
        ids = reader.ids([r[0] for r in rows])
        bits = np.arange(len(data.KINDS))
        y = np.array([r[2] for r in rows] + [0])[:, None] >> bits & 1
        w = (np.array([r[3] for r in rows] + [0])[:, None] >> bits & 1) * np.array([r[4] for r in rows] + [0])[:, None]
        todo += [(y[i].astype(np.float32), w[i].astype(np.float32), b, m) for i, b, m in data.batches(ids, TOKENS, np.random.default_rng((o.seed, e)))]
        print(f"epoch {e}: {len(lines)} lines and {len(rows) - len(lines)} given rows, {sum(map(len, ids))} tokens; yes {y.sum(0)}, asked {(w > 0).sum(0)}; {len(todo)} steps so far, {time.time() - began:.0f} s", flush=True)
    # A part of the last epoch: the rate falls to nothing at its end, wherever that is.
    todo = todo[: round(len(todo) * o.epochs / math.ceil(o.epochs))]
    if o.start:
        f = np.load(o.start)
        # Its answers may have been others.
        p.update({k[len("mean/") :]: f[k] for k in f.files if k.startswith("mean/") and not k.startswith("mean/head.out")})
    p = {k: jnp.asarray(v) for k, v in p.items()}
    trained = {k: v for k, v in p.items() if is_trained(k, o.frozen)}
    fixed = {k: v for k, v in p.items() if k not in trained}
    zero = {k: jnp.zeros_like(v) for k, v in trained.items()}
    state, n = {"p": trained, "m": zero, "v": dict(zero), "mean": trained}, 0
    if os.path.exists(o.out):
        state, n = restore(o.out)
    run = jax.jit(step, static_argnums=(9,))
    value, first = 0.0, n
    while n < len(todo) and time.time() - began < o.seconds:
        y, w, block, mask = todo[n]
        block = hide(block, np.random.default_rng((o.seed, n, 7)))
        state, l = run(state, fixed, block, mask, y, w, float(n), float(len(todo)), o.seed, o.frozen)
        value += float(l)
        n += 1
        if n % 50 == 0:
            print(f"step {n} of {len(todo)} loss {value / 50:.4f} {time.time() - began:.0f} s", flush=True)
            value = 0.0
        if n % 500 == 0:
            save(o.out, state, n)
    save(o.out, state, n)
    print(f"saved at step {n} of {len(todo)}: {n - first} steps in {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    model.keep_compiled()
    main()

"""Teaches the head, and says how it reads lines that it was not taught.

train.py SIGNS.txt OUT.npz --taught F... --held F...: F.npz and F.LAYER.i8 of features.py. Runs
for at most --seconds, leaves a checkpoint, and goes on from it when called again; what comes of a
seed does not depend on where it was cut.
"""

import argparse
import math
import os
import time

import jax
import jax.numpy as jnp
import numpy as np

import features
import model

RATE, WARM, DECAY = 2e-3, 0.05, 0.01  # Adam's step, share of steps to warm up, weight decay
BETA1, BETA2, TINY = 0.9, 0.99, 1e-8
KEEP = 0.995  # of the running mean of the weights, which is what ships
STEPS, LONGEST = 3072, 48  # a batch's; signs of a line
LENGTHS = (64, 96, 128, 192)  # of lines in a batch, in steps, at most; longer ones are left out


def load(names, layer, signs):
    """Features by lines, as views of the files, and their labels."""
    index, lines = {c: i + 1 for i, c in enumerate(signs)}, []
    for name in names:
        of, at = np.load(name + ".npz"), 0
        data = np.memmap(f"{name}.{layer}.i8", np.int8, "r")
        for text, steps in zip(of["texts"], of["steps"]):
            label = [index[c] for c in str(text) if c in index]
            x = data[at : at + steps * features.VALUES].reshape(steps, features.VALUES)
            at += steps * features.VALUES
            if len(label) <= LONGEST and len(label) * 2 < steps <= LENGTHS[-1]:
                lines.append((x, label, str(text)))
    return lines


def batches(lines, rng):
    """Indices of lines of about the same number of steps, in a random order."""
    by, out = {}, []
    for i in rng.permutation(len(lines)):
        length = next(n for n in LENGTHS if len(lines[i][0]) <= n)
        by.setdefault(length, []).append(i)
        if len(by[length]) == STEPS // length:
            out.append((length, by.pop(length)))
    return [out[i] for i in rng.permutation(len(out))]


def block(lines, length):
    """Features, steps, labels and their lengths of some lines."""
    x, labels = np.zeros((len(lines), length, features.VALUES), np.int8), np.zeros((len(lines), LONGEST), np.int32)
    for i, (of, label, _) in enumerate(lines):
        x[i, : len(of)], labels[i, : len(label)] = of, label
    return x, np.array([len(of) for of, _, _ in lines]), labels, np.array([len(label) for _, label, _ in lines])


def loss(p, x, steps, labels, lengths, scale, key):
    return jnp.mean(model.ctc(model.logits(p, x.astype(jnp.float32) / scale, steps, key), labels, lengths) / (lengths + 4))


def step(state, x, steps, labels, lengths, scale, n, total, seed):
    value, grad = jax.value_and_grad(loss)(state["p"], x, steps, labels, lengths, scale, jax.random.fold_in(jax.random.key(seed), n))
    clip = jnp.minimum(1.0, 1.0 / (jnp.sqrt(sum(jnp.vdot(g, g) for g in grad.values())) + 1e-6))
    at, t = n / total, n + 1.0
    rate = RATE * jnp.minimum(at / WARM + 0.01, 0.5 + 0.5 * jnp.cos(jnp.pi * jnp.minimum(at, 1.0)))
    new = {"p": {}, "m": {}, "v": {}, "mean": {}}
    for k, p in state["p"].items():
        g = grad[k] * clip
        m, v = BETA1 * state["m"][k] + (1 - BETA1) * g, BETA2 * state["v"][k] + (1 - BETA2) * g * g
        move = m / (1 - BETA1**t) / (jnp.sqrt(v / (1 - BETA2**t)) + TINY)
        p = p - rate * (move + (DECAY * p if p.ndim == 2 else 0))
        keep = jnp.minimum(KEEP, t / (t + 10))
        new["p"][k], new["m"][k], new["v"][k], new["mean"][k] = p, m, v, keep * state["mean"][k] + (1 - keep) * p
    return new, value


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        before, row[0] = row[0], i + 1
        for j, y in enumerate(b):
            before, row[j + 1] = row[j + 1], min(before + (x != y), row[j] + 1, row[j + 1] + 1)
    return row[-1]


def held_out(p, lines, signs, scale, show=0):
    run, wrong, chars, right = jax.jit(model.logits), 0, 0, 0
    for length in LENGTHS:
        group = [line for line in lines if length == next(n for n in LENGTHS if len(line[0]) <= n)]
        for begin in range(0, len(group), 32):
            some = group[begin : begin + 32]
            x, steps, _, _ = block(some + some[:1] * (32 - len(some)), length)
            for (_, _, text), z in zip(some, np.asarray(run(p, x.astype(np.float32) / scale, steps))):
                want, got = text.replace(" ", ""), model.read(z, signs).replace(" ", "")
                edits = distance(want, got)
                wrong, chars, right, show = wrong + edits, chars + len(want), right + (edits == 0), show - 1
                if show >= 0:
                    print(f"  {want} | {got}")
    return f"{100 * wrong / chars:.1f} % of {chars} characters wrong, {right} of {len(lines)} lines right"


def save(path, state, n):
    np.savez(path + ".new.npz", step=n, **{f"{part}/{k}": np.asarray(v) for part, d in state.items() for k, v in d.items()})
    os.replace(path + ".new.npz", path)


def restore(path):
    state, f = {}, np.load(path)
    for part, k in (name.split("/") for name in f.files if name != "step"):
        state.setdefault(part, {})[k] = jnp.asarray(f[f"{part}/{k}"])
    return state, int(f["step"])


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("signs")
    a.add_argument("out")
    a.add_argument("--taught", nargs="+", required=True)
    a.add_argument("--held", nargs="+", required=True)
    a.add_argument("--layer", default="last")
    a.add_argument("--epochs", type=int, default=10)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--seconds", type=float, default=1e9)
    a.add_argument("--begin", help="a checkpoint whose weights are begun with")
    a.add_argument("--show", type=int, default=0)
    o = a.parse_args()
    began = time.time()
    jax.config.update("jax_compilation_cache_dir", os.path.dirname(os.path.abspath(o.out)) + "/compiled")
    with open(o.signs) as f:
        signs = f.read().rstrip("\n").split("\n")
    lines, scale = load(o.taught, o.layer, signs), features.SCALE[o.layer]
    state = {k: {n: jnp.asarray(v if k in ("p", "mean") else 0 * v) for n, v in model.fresh(features.VALUES, len(signs), o.seed).items()} for k in ("p", "m", "v", "mean")}
    n = 0
    if o.begin:
        at = restore(o.begin)[0]["mean"]
        state["p"], state["mean"] = dict(at), {k: v + 0 for k, v in at.items()}
    if os.path.exists(o.out):
        state, n = restore(o.out)
    todo = [b for e in range(o.epochs) for b in batches(lines, np.random.default_rng((o.seed, e)))]
    print(f"{len(lines)} lines, {len(todo)} steps, from {n}", flush=True)
    run, value, first = jax.jit(step, donate_argnums=0), 0.0, n
    while n < len(todo) and time.time() - began < o.seconds:
        length, some = todo[n]
        state, l = run(state, *block([lines[i] for i in some], length), scale, float(n), float(len(todo)), o.seed)
        value, n = value + float(l), n + 1
        if n % 100 == 0:
            print(f"step {n}: {value / min(100, n - first):.3f}, {time.time() - began:.0f} s", flush=True)
            value = 0.0
    save(o.out, state, n)
    for name in o.held:
        print(f"{name} at {n}:", held_out(state["mean"], load([name], o.layer, signs), signs, scale, o.show), flush=True)


if __name__ == "__main__":
    main()

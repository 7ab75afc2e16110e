"""Learns how sources judge swearing, over what the shipped network has made of a sentence.

An experiment (MODEL_CARD.md, "Swearing that is aimed at nobody"): nothing of it ships. Each
row is labelled as its source labels it, so that a small head can learn which swearing such
sources call harmless. `features` leaves the fourth layer's means, maxima and minima over the
tokens, and the network's own logit; called again it goes on. `fit` trains the head and prints
by source how well it tells rows of the split dev apart, and swearing of dghs that is no hate
from what ParaDetox's judges call toxic, beside the network's logit.
"""
import argparse
import collections
import json
import os
import random
import struct
import time

import jax
import jax.numpy as jnp
import numpy as np

import data
import model
from shared import encoder, figures

LAYER = 4  # whose outputs are pooled
TOKENS = 2048  # a batch's
PERMISSIVE = ("permissive*.jsonl.gz",)
ALL = PERMISSIVE + ("by-sa*.jsonl.gz", "restricted*.jsonl.gz")
SETS = ("dghs", "hatexplain", "edos", "davidson", "stormfront", "sghatecheck", "olid", "paradetox", "conda", "gametox")

# The most toxic and clean rows of a source (None: all), and how much one weighs.
TAKE = {
    "dghs": (None, None, 1.0),
    "paradetox": (None, None, 1.0),
    "pan-detox": (None, None, 1.0),
    "hatexplain": (7000, None, 0.6),
    "edos": (None, 4500, 0.6),
    "davidson": (4000, 3000, 0.4),
    "toxic-spans": (2500, 0, 0.4),
    "measuring-hate": (1500, 0, 0.5),
    "hatemojibuild": (1000, 1000, 0.4),
    "xstest": (None, None, 2.0),
    "ubuntu-irc": (0, 2000, 0.4),
    "tatoeba-laser": (0, 2000, 0.4),
    "chatterbot": (0, 800, 0.4),
    "uci-sms": (0, 800, 0.4),
    "synth-clean-game": (0, 100, 2.0),
    "showdown-i18n": (0, 300, 0.4),
    "warframe-i18n": (0, 300, 0.4),
    "medquad": (0, 300, 0.4),
}
# Of these every toxic row is judged as hate or not; others only say that they are toxic.
JUDGED = ("dghs", "edos", "hatemojibuild")


def packed(path):
    """Reads the layers that ship (bert.Pack) as float32, matrices as encoder.py wants them."""
    with open(path, "rb") as f:
        raw = f.read()
    size = struct.unpack("<Q", raw[:8])[0]
    head, body, t = json.loads(raw[8 : 8 + size]), raw[8 + size :], {}
    for k, v in head.items():
        if k != "__metadata__":
            a, b = v["data_offsets"]
            t[k] = np.frombuffer(body[a:b], {"F32": np.float32, "I8": np.int8}[v["dtype"]]).reshape(v["shape"])
    out = {}
    for k, v in t.items():
        if not k.endswith("_scale"):
            v = v.astype(np.float32) * t[k + "_scale"][:, None] if k + "_scale" in t else v
            out[k] = v.T.copy() if encoder.turned(k) else v
    return out


def unaddressed(text):
    """A text without accounts and links, as the engine asks about it (unaddressed.go)."""

    def address(w):
        bare = w.rstrip(".,:;!?")
        framed = len(bare) > 2 and bare[0] + bare[-1] in ("<>", "[]") and bare[1:-1].lower() in ("user", "url")
        return len(w) > 1 and w[0] == "@" or w.lower().startswith(("http://", "https://", "www.")) or bare in ("URL", "USER") or framed

    return " ".join(w for w in text.split() if not address(w))


def chosen(folder, split):
    """Rows of a split: those to learn from are of permissive sources alone, in a fixed order."""
    by = collections.defaultdict(list)
    for r in data.rows(folder, PERMISSIVE if split == "train" else ALL):
        if r["split"] == split and r.get("sub") != "request" and r["source"] in (TAKE if split == "train" else SETS):
            by[r["source"], r["toxic"]].append(r)
    rng, out = random.Random(5), []
    for (source, toxic), found in sorted(by.items()):
        most = TAKE[source][0 if toxic else 1] if split == "train" else None
        out += found if most is None or len(found) <= most else rng.sample(found, most)
    rng.shuffle(out)
    return out


def features(o, rows, name):
    """Pooled outputs [rows, 3·WIDTH] and the logit, as far as --seconds lead; None where not done."""
    file, began = os.path.join(o.work, name + ".npz"), time.time()
    ids = data.Reader(os.path.join(o.base, "vocab.txt")).ids([unaddressed(r["text"]) for r in rows])
    todo = data.batches(ids, TOKENS)
    x, z, at = np.zeros((len(rows), 3 * encoder.WIDTH), np.float16), np.zeros(len(rows), np.float32), 0
    if os.path.exists(file):
        f = np.load(file)
        x, z, at = f["x"], f["z"], int(f["at"])
    p = {k: jnp.asarray(v) for k, v in {**model.load(os.path.join(o.base, "model.safetensors")), **packed(o.weights)}.items()}

    @jax.jit
    def run(p, ids, mask):
        mid = encoder.encode(p, encoder.embed(p, ids), mask, last=LAYER)
        on = mask[:, :, None] > 0
        pooled = [encoder.pool(mid, mask), jnp.where(on, mid, -1e4).max(1), jnp.where(on, mid, 1e4).min(1)]
        return jnp.concatenate(pooled, 1), model.logits(p, encoder.pool(encoder.encode(p, mid, mask, first=LAYER), mask))

    while at < len(todo) and time.time() - began < o.seconds:
        index, block, mask = todo[at]
        a, b = run(p, block, mask)
        keep = index >= 0
        x[index[keep]], z[index[keep]] = np.asarray(a)[keep], np.asarray(b)[keep]
        at += 1
    np.savez(file, x=x, z=z, at=at)
    print(f"{name}: {at} of {len(todo)} batches, {time.time() - began:.0f} s", flush=True)
    return (x, z) if at == len(todo) else None


def logits(p, x, key=None):
    """The head: [rows, 2], hate and toxic."""
    hidden = jnp.tanh(x @ p["a"] + p["b"])
    if key is not None:
        hidden = encoder.drop(hidden, key, 0.3)
    return hidden @ p["c"] + p["d"]


def fit(x, rows, hidden, epochs, batch=512, decay=2e-5):
    """Adam over batches, the step falling in a straight line; gives a function of features."""
    hate = np.array(["hate" in r["labels"] for r in rows])
    toxic = np.array([r["toxic"] for r in rows])
    weight = np.array([TAKE[r["source"]][2] for r in rows], np.float32)
    known = ~toxic | hate | np.isin([r["source"] for r in rows], JUDGED)
    y, w = np.stack([hate, toxic], 1).astype(np.float32), np.stack([weight * known, weight], 1).astype(np.float32)
    mean, dev = x[::7].astype(np.float32).mean(0), x[::7].astype(np.float32).std(0) + 1e-3
    rng = np.random.default_rng(1)
    p = {"a": rng.normal(0, x.shape[1] ** -0.5, (x.shape[1], hidden)), "b": np.zeros(hidden), "c": rng.normal(0, 0.05, (hidden, 2)), "d": np.zeros(2)}
    p = {k: jnp.asarray(v, jnp.float32) for k, v in p.items()}

    def loss(p, x, y, w, key):
        z = logits(p, x, key)
        return jnp.sum(w * (jax.nn.softplus(z) - y * z)) / jnp.sum(w) + decay * (jnp.sum(p["a"] ** 2) + jnp.sum(p["c"] ** 2))

    @jax.jit
    def step(p, m, v, x, y, w, t, rate):
        g = jax.grad(loss)(p, x, y, w, jax.random.fold_in(jax.random.key(1), t.astype(int)))
        m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
        v = jax.tree.map(lambda a, b: 0.98 * a + 0.02 * b * b, v, g)
        return jax.tree.map(lambda p, m, v: p - rate * m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.98**t)) + 1e-7), p, m, v), m, v

    m = v = jax.tree.map(jnp.zeros_like, p)
    steps, t = epochs * (len(rows) // batch), 0
    for _ in range(epochs):
        order = rng.permutation(len(rows))
        for a in range(0, len(order) - batch + 1, batch):
            i, t = np.sort(order[a : a + batch]), t + 1
            p, m, v = step(p, m, v, (x[i] - mean) / dev, y[i], w[i], jnp.float32(t), jnp.float32(1e-3 * (1 - t / (steps + 1))))
    return lambda x: np.asarray(logits(p, (x - mean) / dev))


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("what", choices=("features", "fit"))
    a.add_argument("--base", required=True, help="folder with model.safetensors and vocab.txt")
    a.add_argument("--data", required=True, help="folder of the shared text data")
    a.add_argument("--weights", default="../weights/upper.bin")
    a.add_argument("--work", required=True, help="folder for features")
    a.add_argument("--seconds", type=float, default=1e9)
    a.add_argument("--hidden", type=int, default=256)
    a.add_argument("--epochs", type=int, default=8)
    a.add_argument("--limit", type=int, help="rows of each split, to try it out")
    o = a.parse_args()
    os.makedirs(o.work, exist_ok=True)
    rows = {s: chosen(o.data, s)[: o.limit] for s in ("train", "dev")}
    made = {s: features(o, rows[s], s) for s in rows}
    if o.what == "features" or None in made.values():
        return
    score = fit(made["train"][0], rows["train"], o.hidden, o.epochs)(made["dev"][0])
    by = {"network": made["dev"][1], "head, hate": score[:, 0], "head, toxic": score[:, 1]}
    source, toxic = np.array([r["source"] for r in rows["dev"]]), np.array([r["toxic"] for r in rows["dev"]])
    for s in SETS:
        on = source == s
        if (on & toxic).any() and (on & ~toxic).any():
            print(f"{s:12s} {on.sum():5d} rows: " + ", ".join(f"{k} {figures.auc(z[on], toxic[on]):.3f}" for k, z in by.items()))
    on = (source == "dghs") & ~toxic | (source == "paradetox") & toxic
    if on.any():
        print("clean of dghs below toxic of paradetox: " + ", ".join(f"{k} {figures.auc(z[on], toxic[on]):.3f}" for k, z in by.items()))


if __name__ == "__main__":
    encoder.keep_compiled("meaning")
    main()

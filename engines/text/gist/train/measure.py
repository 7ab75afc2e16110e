"""Measures a checkpoint on lines that were held back and on rows of the split dev: AUC of each
kind, and how much of it is found where 1, 2 and 5 % of innocent lines lie over the cut."""
import argparse
import glob
import gzip
import json

import jax.numpy as jnp
import numpy as np

import base
import data
import model
from shared import checkpoint, encoder, figures

ROWS = 6000  # of the split dev, by chance


def score(p, ids, exact=False):
    """Log-odds [rows, kinds] of rows of ids; exact is in float32 throughout."""
    out = np.zeros((len(ids), len(data.KINDS)), np.float32)
    return figures.answers(model.logits, p, data.batches(ids, 2048), out, exact)


def assemble(packed, upper):
    """All weights of the network: the base's, and those that were trained in their place."""
    return {k: jnp.asarray(v) for k, v in {**model.weights(packed), **upper}.items()}


def report(name, z, yes):
    """Prints a line for each kind of which there are enough rows."""
    clean = yes == 0
    for i, kind in enumerate(data.KINDS):
        is_ = (yes >> i & 1) == 1
        if is_.sum() < 20 or clean.sum() < 20:
            continue
        on = is_ | clean
        cuts = np.quantile(z[clean, i], [0.99, 0.98, 0.95])
        print(f"{name:12s} {kind:8s} {is_.sum():5d} yes, {clean.sum():5d} clean: AUC {figures.auc(z[on, i], is_[on]):.3f}; found at 1, 2, 5 %: {' '.join(f'{(z[is_, i] > c).mean() * 100:.0f}' for c in cuts)}", flush=True)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--base", required=True)
    a.add_argument("--checkpoint", required=True, nargs="+", help="of several, the mean of their weights")
    a.add_argument("--lines", required=True)
    a.add_argument("--data", required=True)
    a.add_argument("--own", nargs="*", default=[], help="files of rows, each measured by itself")
    o = a.parse_args()
    packed = base.Packed(o.base)
    upper, steps = checkpoint.trained(*o.checkpoint)
    p, reader = assemble(packed, upper), data.Reader(packed)
    print("step", steps)

    def z(rows):
        return score(p, reader.ids([r[0] for r in rows])), np.array([r[2] for r in rows])

    report("held lines", *z(data.written(o.lines, 1, held=True)))
    for path in o.own:
        rows = [json.loads(l) for l in open(path, encoding="utf-8")]
        report(path.rsplit("/", 1)[-1][:-6], *z([(r["text"], r["lang"], data.kinds(r["labels"])) for r in rows]))
    dev = []
    for pattern in ("permissive*.jsonl.gz", "by-sa*.jsonl.gz"):
        for name in sorted(glob.glob(o.data + "/" + pattern)):
            with gzip.open(name, "rt", encoding="utf-8") as f:
                dev += [json.loads(l) for l in f]
    dev = [r for r in dev if r["split"] == "dev" and r["text"] and r.get("sub") != "request"]
    dev = [dev[i] for i in np.random.default_rng(1).permutation(len(dev))[:ROWS]]
    zs, ys = z([(r["text"][:400], r["lang"], data.kinds(r["labels"])) for r in dev])
    toxic = np.array([r["toxic"] for r in dev])
    for i, kind in enumerate(data.KINDS):
        print(f"clean dev rows over 0, 2 by {kind}: {(zs[~toxic, i] > 0).mean() * 100:.2f} {(zs[~toxic, i] > 2).mean() * 100:.2f} %")
    report("dev", zs[~toxic | (ys > 0)], ys[~toxic | (ys > 0)])


if __name__ == "__main__":
    encoder.keep_compiled("gist")
    main()

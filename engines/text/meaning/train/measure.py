"""Measures a model on rows of the split dev: AUC by source, F1 and false positives."""
import argparse
import os

import numpy as np

import data
import model
from shared import checkpoint, encoder, figures

HATE = ("dghs", "hatemojibuild", "hatexplain", "edos", "davidson", "stormfront", "xstest", "sghatecheck", "olid", "mlma")
CLEAN = ("ubuntu-irc", "tatoeba-laser", "chatterbot", "uci-sms", "conda", "gametox", "surnames", "dariusk-corpora", "medquad", "paradetox")
TOKENS = 2048


def f1(score, yes, cut):
    over = score >= cut
    hit = (over & yes).sum()
    return 2 * hit / max(1, over.sum() + yes.sum())


def score(p, ids, exact=False):
    """Logits [rows] of rows of ids; exact is in float32 throughout."""
    return figures.answers(model.logits, p, data.batches(ids, TOKENS), np.zeros(len(ids), np.float32), exact)


def assemble(base, upper):
    """All weights of the network: those of the folder base, and those that were trained in their place."""
    return {**model.load(os.path.join(base, "model.safetensors")), **upper}


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--base", required=True)
    a.add_argument("--data", required=True)
    a.add_argument("--checkpoint", required=True)
    a.add_argument("--scores", help="where to leave the logits (.npz)")
    a.add_argument("--only", nargs="*", help="sources")
    o = a.parse_args()
    keep = set(o.only or HATE + CLEAN)
    rows = [r for r in data.rows(o.data, ("permissive*.jsonl.gz", "by-sa*.jsonl.gz", "restricted*.jsonl.gz")) if r["split"] == "dev" and r["source"] in keep]
    ids = data.Reader(os.path.join(o.base, "vocab.txt")).ids([r["text"] for r in rows])
    z = score(assemble(o.base, checkpoint.trained(o.checkpoint)[0]), ids)
    hate = np.array(["hate" in r["labels"] for r in rows])
    toxic = np.array([r["toxic"] for r in rows])
    source = np.array([r["source"] for r in rows])
    clean = (source == "dghs") & ~hate
    cut = np.quantile(z[clean], 0.85) if clean.any() else 0.0
    print(f"cut {cut:.3f}: 15 % of the clean rows of dghs lie over it")
    for s in HATE:
        on = source == s
        if s in keep and on.any():
            zs, h = z[on], hate[on]
            best = max(f1(zs, h, c) for c in np.quantile(zs, np.linspace(0, 1, 101)))
            print(f"{s:14s} {on.sum():5d} rows, {h.sum():4d} hate: AUC {figures.auc(zs, h):.3f}; at cut F1 {f1(zs, h, cut):.3f}, found {(zs[h] >= cut).mean():.3f}, wrong {(zs[~h] >= cut).mean():.3f}; best F1 {best:.3f}")
    for s in CLEAN:
        on = (source == s) & ~toxic
        if s in keep and on.any():
            print(f"{s:14s} {on.sum():5d} clean: over cut {(z[on] >= cut).mean() * 100:.2f} %, over 0 {(z[on] >= 0).mean() * 100:.2f} %, over 2 {(z[on] >= 2).mean() * 100:.2f} %")
    if o.scores:
        np.savez(o.scores, z=z, hate=hate, toxic=toxic, source=source, text=np.array([r["text"] for r in rows], dtype=object))


if __name__ == "__main__":
    encoder.keep_compiled("meaning")
    main()

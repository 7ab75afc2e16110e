"""Writes what ships: head.bin, the mean of the weights in 8 bits, in network.go's order.

handover.py SIGNS.txt HEAD.npz OUT --held F...: and says how the head reads the lines held out,
as it was trained and in 8 bits.
"""

import argparse

import numpy as np

import features
import model
import train


def rounded(w):
    """Scales, one for each output, and the matrix [in, out] in 8 bits."""
    scales = np.maximum(np.abs(w).max(0), 1e-12) / 127
    return scales.astype(np.float32), np.rint(w / scales).astype(np.int8)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("signs")
    a.add_argument("head")
    a.add_argument("out")
    a.add_argument("--held", nargs="+", required=True)
    a.add_argument("--layer", default="last")
    o = a.parse_args()
    with open(o.signs) as f:
        signs = f.read().rstrip("\n").split("\n")
    scale = features.SCALE[o.layer]
    p = {k: np.asarray(v) for k, v in train.restore(o.head)[0]["mean"].items()}
    order = ["in.w", "in.b"]
    for i in range(model.BLOCKS):
        order += [f"{i}.{k}" for k in ("along", "gain", "shift", "up.w", "up.b", "down.w", "down.b")]
    whole, out = dict(p), b""
    for k in order + ["out.w", "out.b"]:
        if k.endswith(".w"):
            scales, w = rounded(p[k])
            whole[k] = w * scales
            w = w.T.reshape(model.WIDTH, 3, -1).transpose(0, 2, 1) if k == "in.w" else w
            out += scales.tobytes() + np.ascontiguousarray(w).tobytes()
        else:
            w = p[k].T if k.endswith("along") else p[k]
            out += np.ascontiguousarray(w, np.float32).tobytes()
    with open(o.out, "wb") as f:
        f.write(out)
    for name in o.held:
        lines = train.load([name], o.layer, signs)
        print(f"{name}: {train.held_out(p, lines, signs, scale)}; in 8 bits {train.held_out(whole, lines, signs, scale)}")


if __name__ == "__main__":
    main()

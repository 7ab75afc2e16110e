"""Shows drawn lines to the frozen layers of PP-OCRv6's recogniser and keeps what they give.

features.py REC.onnx LINES.bin OUT [--jitter]: OUT.npz holds texts and steps,
OUT.LAYER.i8 the features times SCALE, a line after the other, steps×VALUES. With --jitter each line
is shown once as a detector that is a little off would have it, else as the reader shows it.
"""

import argparse
import struct
import time

import numpy as np
import onnx
import onnx.utils
import onnxruntime

ROWS, HEIGHT = 72, 48  # of a drawn line, and of them those of its rectangle
SIDE = 24  # px drawn to the left and right of the rectangle
TIGHT, RISE = 1.25, 2.4  # the part of the rectangle's height that the network is shown, and px up
LAYERS = {"last": "p2o.pd_op.add.64.0", "third": "p2o.pd_op.add.51.0"}
VALUES = 1152  # of a step, 4 px: 384 of each of 3 parts of the height, or 192 of 6
SCALE = {"last": 16.0, "third": 16.0}


def drawn(path):
    """Gives text and rows (3, ROWS, width), blue first, of each line in a file of TestDrawThai."""
    with open(path, "rb") as f:
        while head := f.read(4):
            w, n = struct.unpack("<HH", head)
            text = f.read(n).decode()
            yield text, np.frombuffer(f.read(3 * ROWS * w), np.uint8).reshape(3, ROWS, w)


def stepped(w):
    """As recognise.go's: w or a little more, one of few."""
    step = 32
    while step * 16 < w and step < 256:
        step *= 2
    return (w + step - 1) // step * step


def resampled(rows, left, right, top, bottom, height):
    """What lies between the four, in px, at the height, interpolated."""
    width = max(8, round((right - left) * height / (bottom - top)))

    def along(a, axis, begin, end, n):
        at = np.clip(begin + (np.arange(n) + 0.5) * (end - begin) / n - 0.5, 0, a.shape[axis] - 1)
        low = at.astype(int)
        high = np.minimum(low + 1, a.shape[axis] - 1)
        t = (at - low).astype(np.float32).reshape([-1 if i == axis else 1 for i in range(3)])
        return a.take(low, axis) * (1 - t) + a.take(high, axis) * t

    return along(along(rows.astype(np.float32), 1, top, bottom, height), 2, left, right, width)


def shown(rows, rng):
    """The line as the network sees it, (3, HEIGHT, stepped width); grey behind its end."""
    tight, off, left, right = TIGHT, -RISE, 0.0, 0.0
    if rng is not None:
        tight, off = rng.uniform(1.0, 1.35), rng.normal(-RISE, 1.5)
        left, right = rng.uniform(-10, 4), rng.uniform(-4, 10)
    half = HEIGHT * tight / 2
    at = resampled(rows, SIDE + left, rows.shape[2] - SIDE + right, ROWS / 2 + off - half, ROWS / 2 + off + half, HEIGHT)
    out = np.zeros((3, HEIGHT, stepped(at.shape[2])), np.float32)
    out[:, :, : at.shape[2]] = (at / 255 - 0.5) / 0.5
    return out


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("rec")
    a.add_argument("lines")
    a.add_argument("out")
    a.add_argument("--jitter", action="store_true")
    a.add_argument("--layers", default="last")
    a.add_argument("--most", type=int, default=10**9)
    o = a.parse_args()
    layers = o.layers.split(",")
    model = onnx.utils.Extractor(onnx.load(o.rec)).extract_model(["x"], [LAYERS[k] for k in layers])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    net = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    rng = np.random.default_rng(5) if o.jitter else None
    groups, began = {}, time.time()
    for i, (text, rows) in enumerate(drawn(o.lines)):
        if i < o.most:
            x = shown(rows, rng)
            groups.setdefault(x.shape[2], []).append((text, x))
    texts, steps = [], []
    files = [open(f"{o.out}.{k}.i8", "wb") for k in layers]
    for width in sorted(groups):
        for begin in range(0, len(groups[width]), 8):
            some = groups[width][begin : begin + 8]
            for k, f, got in zip(layers, files, net.run(None, {"x": np.stack([x for _, x in some])})):
                n, c, h, w = got.shape
                flat = got.transpose(0, 3, 2, 1).reshape(n, w, h * c)
                f.write(np.clip(np.rint(flat * SCALE[k]), -127, 127).astype(np.int8).tobytes())
            texts += [t for t, _ in some]
            steps += [w] * n
    np.savez(o.out + ".npz", texts=np.array(texts), steps=np.array(steps))
    print(f"{len(texts)} lines, {sum(steps)} steps in {time.time() - began:.0f} s")


if __name__ == "__main__":
    main()

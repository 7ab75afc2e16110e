"""Weights of all-MiniLM-L6-v2 for encoder.py, and the head."""
import json
import struct

import jax.numpy as jnp
import numpy as np

from shared import encoder


def load(path):
    """Reads a safetensors file of float32 into a dict of arrays by name, the pooler's left out."""
    with open(path, "rb") as f:
        size = struct.unpack("<Q", f.read(8))[0]
        head, at, data = json.loads(f.read(size)), 8 + size, {}
        for name, t in head.items():
            if name == "__metadata__" or t["dtype"] != "F32" or name.startswith("pooler."):
                continue
            f.seek(at + t["data_offsets"][0])
            raw = f.read(t["data_offsets"][1] - t["data_offsets"][0])
            a = np.frombuffer(raw, np.float32).reshape(t["shape"])
            data[name] = a.T.copy() if encoder.turned(name) else a.copy()
    return data


def logits(p, pooled):
    """The head: a hidden layer with tanh, then one number, positive for hate [rows]."""
    hidden = jnp.tanh(pooled @ p["head.dense.weight"] + p["head.dense.bias"])
    return (hidden @ p["head.out.weight"] + p["head.out.bias"])[:, 0]


def head(seed):
    """A new head, near nothing."""
    rng, width = np.random.default_rng(seed), encoder.WIDTH
    return {
        "head.dense.weight": rng.normal(0, 0.02, (width, width)).astype(np.float32),
        "head.dense.bias": np.zeros(width, np.float32),
        "head.out.weight": rng.normal(0, 0.02, (width, 1)).astype(np.float32),
        "head.out.bias": np.zeros(1, np.float32),
    }

"""Weights of the first six layers of multilingual-e5-small for encoder.py, and the head."""
import jax.numpy as jnp
import numpy as np

import data
from shared import encoder

# Names in the base's file, and the published ones.
NAMES = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
         "aln": "attention.output.LayerNorm", "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm"}


def weights(packed):
    """The base's tensors; of what is added where a token stands only as much as is read."""
    p = {"embeddings.word_embeddings.weight": packed.tensor("emb.word", packed.vocabulary), "embeddings.position_embeddings.weight": packed.tensor("emb.pos", packed.positions)[: data.LONGEST],
         "embeddings.token_type_embeddings.weight": packed.tensor("emb.type", 2), "embeddings.LayerNorm.weight": packed.tensor("emb.ln.w"), "embeddings.LayerNorm.bias": packed.tensor("emb.ln.b")}
    for n in range(encoder.LAYERS):
        for short, name in NAMES.items():
            rows = 0 if short.endswith("ln") else packed.inner if short == "fi" else packed.width
            a = packed.tensor(f"l{n}.{short}.w", rows or None)
            p[f"encoder.layer.{n}.{name}.weight"] = np.ascontiguousarray(a.T) if rows else a
            p[f"encoder.layer.{n}.{name}.bias"] = packed.tensor(f"l{n}.{short}.b")
    return p


def logits(p, pooled):
    """The head: a hidden layer with tanh, then the log-odds of each of data.KINDS [rows, kinds]."""
    hidden = jnp.tanh(pooled @ p["head.dense.weight"] + p["head.dense.bias"])
    return hidden @ p["head.out.weight"] + p["head.out.bias"]


def head(seed):
    """A new head, near nothing."""
    def small(*shape):
        return np.random.default_rng(seed).normal(0, 0.02, shape).astype(np.float32)

    width, kinds = encoder.WIDTH, len(data.KINDS)
    return {"head.dense.weight": small(width, width), "head.dense.bias": np.zeros(width, np.float32), "head.out.weight": small(width, kinds), "head.out.bias": np.zeros(kinds, np.float32)}

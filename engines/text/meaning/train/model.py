"""The encoder (BERT with six layers of 384) and its head, in JAX.

Weights lie under the names of the base's own file; those of linear layers are
[out, in] there and [in, out] here, which is what the products want.
"""
import json
import math
import struct

import jax
import jax.numpy as jnp
import numpy as np

LAYERS, HEADS, WIDTH = 6, 12, 384
EPS = 1e-12
LINEAR = ("query", "key", "value", "attention.output.dense", "intermediate.dense", "output.dense")


def load(path):
    """Reads a safetensors file of float32 into a dict of arrays by name."""
    with open(path, "rb") as f:
        size = struct.unpack("<Q", f.read(8))[0]
        head, at, data = json.loads(f.read(size)), 8 + size, {}
        for name, t in head.items():
            if name == "__metadata__" or t["dtype"] != "F32" or name.startswith("pooler."):
                continue
            f.seek(at + t["data_offsets"][0])
            raw = f.read(t["data_offsets"][1] - t["data_offsets"][0])
            a = np.frombuffer(raw, np.float32).reshape(t["shape"])
            data[name] = a.T.copy() if turned(name) else a.copy()
    return data


def turned(name):
    """Reports whether a weight is a matrix of a linear layer."""
    return name.endswith(".weight") and any(name[: -len(".weight")].endswith(k) for k in LINEAR)


def dot(a, b, dims):
    return jax.lax.dot_general(a, b, (dims, ((), ())), preferred_element_type=jnp.float32)


@jax.custom_vjp
def fast(x, w):
    """x [n, in] times w [in, out]: factors rounded to bfloat16, sums in float32."""
    return dot(x.astype(jnp.bfloat16), w.astype(jnp.bfloat16), ((1,), (0,)))


def fast_forward(x, w):
    x, w = x.astype(jnp.bfloat16), w.astype(jnp.bfloat16)
    return dot(x, w, ((1,), (0,))), (x, w)


def fast_backward(saved, g):
    x, w = saved
    g = g.astype(jnp.bfloat16)
    return dot(g, w, ((1,), (1,))), dot(x, g, ((0,), (0,)))


fast.defvjp(fast_forward, fast_backward)


def norm(x, p, name):
    mean = x.mean(-1, keepdims=True)
    x = x - mean
    var = (x * x).mean(-1, keepdims=True)
    return x * jax.lax.rsqrt(var + EPS) * p[name + ".weight"] + p[name + ".bias"]


def gelu(x):
    return 0.5 * x * (1 + jax.lax.erf(x * (1 / math.sqrt(2))))


def embed(p, ids):
    x = p["embeddings.word_embeddings.weight"][ids]
    x = x + p["embeddings.position_embeddings.weight"][: ids.shape[1]] + p["embeddings.token_type_embeddings.weight"][0]
    return norm(x, p, "embeddings.LayerNorm")


def drop(x, key, rate):
    if key is None or rate == 0:
        return x
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)


def layer(p, n, x, bias, times, key, rate):
    """One layer over x [rows, tokens, WIDTH]; bias [rows, 1, 1, tokens] hides padding."""
    at = f"encoder.layer.{n}."
    b, t, _ = x.shape

    def linear(x, name):
        name = at + name
        return times(x.reshape(b * t, -1), p[name + ".weight"]) + p[name + ".bias"]

    def heads(name):
        return linear(x, name).reshape(b, t, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

    q, k, v = heads("attention.self.query"), heads("attention.self.key"), heads("attention.self.value")
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(WIDTH // HEADS) + bias
    mixed = jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, -1), v).transpose(0, 2, 1, 3)
    keys = (None, None) if key is None else jax.random.split(key)
    out = drop(linear(mixed, "attention.output.dense").reshape(b, t, WIDTH), keys[0], rate)
    x = norm(x + out, p, at + "attention.output.LayerNorm")
    inner = gelu(linear(x, "intermediate.dense"))
    name = at + "output.dense"
    out = times(inner, p[name + ".weight"]) + p[name + ".bias"]
    return norm(x + drop(out.reshape(b, t, WIDTH), keys[1], rate), p, at + "output.LayerNorm")


def encode(p, x, mask, first=0, exact=False, key=None, rate=0.0, last=LAYERS):
    """Runs layers first to last over x [rows, tokens, WIDTH]; mask is 1 where a token stands."""
    times = (lambda a, b: jnp.matmul(a, b, precision="highest")) if exact else fast
    bias = ((1.0 - mask) * -1e9)[:, None, None, :]
    for n in range(first, last):
        k = None if key is None else jax.random.fold_in(key, n)
        x = layer(p, n, x, bias, times, k, rate)
    return x


def pool(x, mask):
    """The mean over the tokens that stand, [CLS] and [SEP] among them: [rows, WIDTH]."""
    return (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)


def logits(p, pooled):
    """The head: a hidden layer with tanh, then one number, positive for hate."""
    hidden = jnp.tanh(pooled @ p["head.dense.weight"] + p["head.dense.bias"])
    return (hidden @ p["head.out.weight"] + p["head.out.bias"])[:, 0]


def head(seed):
    """A new head, near nothing."""
    rng = np.random.default_rng(seed)
    return {
        "head.dense.weight": rng.normal(0, 0.02, (WIDTH, WIDTH)).astype(np.float32),
        "head.dense.bias": np.zeros(WIDTH, np.float32),
        "head.out.weight": rng.normal(0, 0.02, (WIDTH, 1)).astype(np.float32),
        "head.out.bias": np.zeros(1, np.float32),
    }

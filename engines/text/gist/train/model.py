"""The encoder (the first six layers of multilingual-e5-small, a BERT of 384 values) and its
head, in JAX.

Weights lie under the names under which the encoder was published; those of linear layers are
[out, in] there and [in, out] here, which is what the products want.
"""
import math
import os

import jax
import jax.numpy as jnp
import numpy as np

import data

LAYERS, HEADS, WIDTH = 6, 12, 384
EPS = 1e-12
LINEAR = ("query", "key", "value", "attention.output.dense", "intermediate.dense", "output.dense")
# Names in the base's file, and the published ones.
NAMES = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
         "aln": "attention.output.LayerNorm", "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm"}


def weights(packed):
    """The base's tensors; of what is added where a token stands only as much as is read."""
    p = {"embeddings.word_embeddings.weight": packed.tensor("emb.word", packed.vocabulary), "embeddings.position_embeddings.weight": packed.tensor("emb.pos", packed.positions)[: data.LONGEST],
         "embeddings.token_type_embeddings.weight": packed.tensor("emb.type", 2), "embeddings.LayerNorm.weight": packed.tensor("emb.ln.w"), "embeddings.LayerNorm.bias": packed.tensor("emb.ln.b")}
    for n in range(LAYERS):
        for short, name in NAMES.items():
            rows = 0 if short.endswith("ln") else packed.inner if short == "fi" else packed.width
            a = packed.tensor(f"l{n}.{short}.w", rows or None)
            p[f"encoder.layer.{n}.{name}.weight"] = np.ascontiguousarray(a.T) if rows else a
            p[f"encoder.layer.{n}.{name}.bias"] = packed.tensor(f"l{n}.{short}.b")
    return p


def turned(name):
    """Reports whether a weight is a matrix of a layer."""
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
    """The mean over the tokens that stand, <s> and </s> among them: [rows, WIDTH]."""
    return (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)


def logits(p, pooled):
    """The head: a hidden layer with tanh, then the log-odds of each of data.KINDS."""
    hidden = jnp.tanh(pooled @ p["head.dense.weight"] + p["head.dense.bias"])
    return hidden @ p["head.out.weight"] + p["head.out.bias"]


def head(seed):
    """A new head, near nothing."""
    def small(*shape):
        return np.random.default_rng(seed).normal(0, 0.02, shape).astype(np.float32)

    kinds = len(data.KINDS)
    return {"head.dense.weight": small(WIDTH, WIDTH), "head.dense.bias": np.zeros(WIDTH, np.float32), "head.out.weight": small(WIDTH, kinds), "head.out.bias": np.zeros(kinds, np.float32)}


def keep_compiled():
    """Has what was compiled kept for the next run: compiling for every length of rows takes minutes."""
    jax.config.update("jax_compilation_cache_dir", os.path.expanduser("~/.cache/jax-gist"))

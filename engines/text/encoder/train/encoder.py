"""The encoder in JAX: a BERT of six layers with 384 values to a token, as both networks that
read messages as a whole have it (engines/text/meaning, engines/text/gist).

Weights are a dict by the names under which BERT is published; those of linear layers are
[out, in] there and [in, out] here, which is what the products want. Numbers are float32.
A training has its own head on what pool gives, under names that begin with head.
"""
import math
import os

import jax
import jax.numpy as jnp

LAYERS, HEADS, WIDTH = 6, 12, 384
EPS = 1e-12
LINEAR = ("query", "key", "value", "attention.output.dense", "intermediate.dense", "output.dense", "head.dense", "head.out")


def turned(name):
    """Reports whether a weight is a matrix of a linear layer, which is published turned."""
    return name.endswith(".weight") and any(name[: -len(".weight")].endswith(k) for k in LINEAR)


def dot(a, b, dims):
    """The sums in float32 of products over the axes dims, (of a, of b)."""
    return jax.lax.dot_general(a, b, (dims, ((), ())), preferred_element_type=jnp.float32)


@jax.custom_vjp
def fast(x, w):
    """x [n, in] times w [in, out]: factors rounded to bfloat16, sums in float32."""
    return dot(x.astype(jnp.bfloat16), w.astype(jnp.bfloat16), ((1,), (0,)))


def fast_forward(x, w):
    """As fast, with what the way back needs: half the memory that float32 would take."""
    x, w = x.astype(jnp.bfloat16), w.astype(jnp.bfloat16)
    return dot(x, w, ((1,), (0,))), (x, w)


def fast_backward(saved, g):
    """Gradients of x and w, their products rounded like those of fast."""
    x, w = saved
    g = g.astype(jnp.bfloat16)
    return dot(g, w, ((1,), (1,))), dot(x, g, ((0,), (0,)))


fast.defvjp(fast_forward, fast_backward)


def norm(x, p, name):
    """x [..., WIDTH] brought to mean and spread of the normalisation called name."""
    mean = x.mean(-1, keepdims=True)
    x = x - mean
    var = (x * x).mean(-1, keepdims=True)
    return x * jax.lax.rsqrt(var + EPS) * p[name + ".weight"] + p[name + ".bias"]


def gelu(x):
    """By the error function: the usual short cut gives other digits than the base learnt with."""
    return 0.5 * x * (1 + jax.lax.erf(x * (1 / math.sqrt(2))))


def embed(p, ids):
    """What the first layer takes: ids [rows, tokens] to [rows, tokens, WIDTH]."""
    x = p["embeddings.word_embeddings.weight"][ids]
    x = x + p["embeddings.position_embeddings.weight"][: ids.shape[1]] + p["embeddings.token_type_embeddings.weight"][0]
    return norm(x, p, "embeddings.LayerNorm")


def drop(x, key, rate):
    """Dropout of a share of x; none without a key."""
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
    """Runs layers first to last over x [rows, tokens, WIDTH]; mask [rows, tokens] is 1 where a
    token stands. exact is in float32 throughout; key and rate are of dropout, a layer has a
    stream of its own, so that it does not depend on which are run before it."""
    times = (lambda a, b: jnp.matmul(a, b, precision="highest")) if exact else fast
    bias = ((1.0 - mask) * -1e9)[:, None, None, :]
    for n in range(first, last):
        k = None if key is None else jax.random.fold_in(key, n)
        x = layer(p, n, x, bias, times, k, rate)
    return x


def pool(x, mask):
    """The mean over the tokens that stand, the marks of beginning and end among them: [rows, WIDTH]."""
    return (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)


def keep_compiled(name):
    """Has what was compiled kept for a training's next run: compiling for every length of rows takes minutes."""
    jax.config.update("jax_compilation_cache_dir", os.path.expanduser("~/.cache/jax-" + name))

"""The head: what reads Thai from the features of a line, by step; and its loss."""

import jax
import jax.numpy as jnp
import numpy as np

WIDTH, INNER, BLOCKS, REACH = 192, 384, 3, 9


def fresh(values, signs, seed):
    """Weights that know nothing: values in a step, classes: none and the signs."""
    rng = np.random.default_rng(seed)

    def dense(i, o, scale=1.0):
        return (rng.normal(size=(i, o)) * scale / np.sqrt(i)).astype(np.float32)

    p = {"in.w": dense(values, WIDTH), "in.b": np.zeros(WIDTH, np.float32), "out.w": dense(WIDTH, signs + 1), "out.b": np.zeros(signs + 1, np.float32)}
    for i in range(BLOCKS):
        p |= {f"{i}.along": (rng.normal(size=(REACH, WIDTH)) / 3).astype(np.float32), f"{i}.gain": np.ones(WIDTH, np.float32),
              f"{i}.shift": np.zeros(WIDTH, np.float32), f"{i}.up.w": dense(WIDTH, INNER), f"{i}.up.b": np.zeros(INNER, np.float32),
              f"{i}.down.w": dense(INNER, WIDTH, 0.5), f"{i}.down.b": np.zeros(WIDTH, np.float32)}
    return p


def drop(x, key, rate):
    """x without some of its values, the same in all steps of a line."""
    return x if key is None else x * (jax.random.bernoulli(key, 1 - rate, (x.shape[0], 1, x.shape[2])) / (1 - rate))


def logits(p, x, steps, key=None):
    """x is (lines, steps, values), of which each line has as many steps as steps says: behind
    them it reads none, surely. With a key, some values are dropped."""
    is_line = (jnp.arange(x.shape[1]) < steps[:, None])[:, :, None]
    keys = [None] * (BLOCKS + 1) if key is None else jax.random.split(key, BLOCKS + 1)
    x = drop(x, keys[0], 0.1) @ p["in.w"] + p["in.b"]
    for i in range(BLOCKS):
        side = REACH // 2
        wide = jnp.pad(x * is_line, ((0, 0), (side, side), (0, 0)))
        y = sum(wide[:, k : k + x.shape[1]] * p[f"{i}.along"][k] for k in range(REACH))
        y = y - y.mean(-1, keepdims=True)
        y = y * jax.lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-5) * p[f"{i}.gain"] + p[f"{i}.shift"]
        y = y @ p[f"{i}.up.w"] + p[f"{i}.up.b"]
        y = drop(y * jax.nn.sigmoid(y), keys[i + 1], 0.1)
        x = x + y @ p[f"{i}.down.w"] + p[f"{i}.down.b"]
    z = x @ p["out.w"] + p["out.b"]
    return jnp.where(is_line, z, jnp.where(jnp.arange(z.shape[2]) == 0, 0.0, -1e4))


def ctc(z, labels, lengths):
    """-log of what all paths of a label sum to (Graves et al. 2006), by line. labels has 0 behind
    a label's end; class 0 is none."""
    n, most = labels.shape
    logp = jax.nn.log_softmax(z)
    path = jnp.zeros((n, 2 * most + 1), jnp.int32).at[:, 1::2].set(labels)
    skips = jnp.zeros(path.shape, bool).at[:, 3::2].set(labels[:, 1:] != labels[:, :-1])
    at = jnp.take_along_axis(logp, jnp.broadcast_to(path[:, None], (n, z.shape[1], path.shape[1])), 2)
    never = jnp.float32(-1e9)

    def shifted(a, by):
        return jnp.concatenate([jnp.full((n, by), never), a[:, :-by]], 1)

    def step(a, seen):
        a = jnp.logaddexp(jnp.logaddexp(a, shifted(a, 1)), jnp.where(skips, shifted(a, 2), never)) + seen
        return a, None

    begin = jnp.full(path.shape, never).at[:, :2].set(at[:, 0, :2])
    last, _ = jax.lax.scan(step, begin, at[:, 1:].swapaxes(0, 1))
    ends = jnp.take_along_axis(last, jnp.stack([2 * lengths, jnp.maximum(2 * lengths - 1, 0)], 1), 1)
    return -jnp.where(lengths > 0, jnp.logaddexp(ends[:, 0], ends[:, 1]), ends[:, 0])


def read(z, signs):
    """The text of a line's logits: the likeliest class of each step, one for several in a row."""
    best = z.argmax(-1)
    return "".join(signs[c - 1] for c, before in zip(best, [0, *best[:-1]]) if c and c != before).strip()

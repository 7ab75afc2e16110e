"""Teaches the network of seams and writes its weights.

teach.py OUT.bin --taught F... --held F...: F are files of TestDrawSeams. Says how the network does on
the seams held out, in the precision that it ships in, and without the picture.
"""

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np

ROWS, COLS, KNOWN, SIGNS = 24, 40, 14, 3  # as network.go has them
FIRST, SECOND, NARROW, TOGETHER = 8, 16, 24, 16
ORDER = ["k1", "b1", "k2", "b2", "w3", "b3", "w4", "b4", "w5", "b5", "w6"]
SEEN = [0, 1, 2, 3, 4, 13]  # of what is known: what other networks saw there
CUSTOMS = [11, 12]  # where Korean has spaces
EPOCHS, BATCH, RATE = 10, 128, 2e-3
SEAM = np.dtype([("known", "<f4", KNOWN), ("light", "u1", (ROWS, COLS)), ("space", "u1"), ("sign", "u1")])


def start(seed):
    r = np.random.default_rng(seed)

    def of(*shape):
        return jnp.array(r.normal(size=shape) * np.sqrt(2 / np.prod(shape[:-1])), jnp.float32)

    flat = ROWS // 4 * (COLS // 4) * SECOND
    return {
        "k1": of(5, 5, 1, FIRST), "b1": jnp.zeros(FIRST), "k2": of(3, 3, FIRST, SECOND), "b2": jnp.zeros(SECOND),
        "w3": of(flat, NARROW), "b3": jnp.zeros(NARROW), "w4": of(NARROW + KNOWN, TOGETHER), "b4": jnp.zeros(TOGETHER),
        "w5": of(TOGETHER, 2 + SIGNS) * 0.3, "b5": jnp.zeros(2 + SIGNS), "w6": jnp.zeros((KNOWN, 2 + SIGNS)),
    }  # fmt: skip


def level(light):
    light = np.asarray(light, np.float32)
    return (light - light.mean((1, 2), keepdims=True)) / (light.std((1, 2), keepdims=True) + 4)


def network(p, light, known, kept=1.0):
    def halve(x, k):
        side = k.shape[0] // 2
        return jax.lax.conv_general_dilated(x, k, (2, 2), ((side, side), (side, side)), dimension_numbers=("NHWC", "HWIO", "NHWC"))

    a = jax.nn.relu(halve(light[..., None], p["k1"]) + p["b1"])
    a = jax.nn.relu(halve(a, p["k2"]) + p["b2"])
    a = jax.nn.relu(a.reshape(len(a), -1) @ p["w3"] + p["b3"]) * kept
    a = jax.nn.relu(jnp.concatenate([a, known], 1) @ p["w4"] + p["b4"])
    return a @ p["w5"] + p["b5"] + known @ p["w6"]


def loss(p, light, known, space, sign, kept):
    out = network(p, light, known, kept)
    of_space = jnp.where(space < 2, jax.nn.softplus(jnp.where(space == 1, -out[:, 0], out[:, 0])), 0).mean()
    of_sign = -jnp.take_along_axis(jax.nn.log_softmax(out[:, 1:]), sign[:, None], 1).mean()
    return of_space + of_sign + 1e-5 * sum((v * v).sum() for k, v in p.items() if k[0] in "kw")


@jax.jit
def step(p, m, v, t, rate, *lesson):
    g = jax.grad(loss)(p, *lesson)
    m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
    v = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, v, g)
    p = jax.tree.map(lambda w, a, b: w - rate * a / (1 - 0.9**t) / (jnp.sqrt(b / (1 - 0.99**t)) + 1e-8), p, m, v)
    return p, m, v


def teach(seams, seed=0):
    r, p = np.random.default_rng(seed), start(seed)
    m = v = jax.tree.map(jnp.zeros_like, p)
    t, steps, began = 0, EPOCHS * (len(seams) // BATCH), time.time()
    for _ in range(EPOCHS):
        order = r.permutation(len(seams))
        for i in range(0, len(seams) - BATCH + 1, BATCH):
            some, t = seams[np.sort(order[i : i + BATCH])], t + 1
            rate = RATE * min(1, t / 100) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * t / steps)))
            # Dark on light is as good as light on dark, and a line may be found a little off.
            light = level(some["light"]) * np.where(r.random((BATCH, 1, 1)) < 0.5, -1, 1) * np.exp(0.1 * r.normal(size=(BATCH, 1, 1)))
            light = np.roll(light, (r.integers(-1, 2), r.integers(-1, 2)), (1, 2)).astype(np.float32)
            # Games are not written as chats are, and other networks may see nothing: neither alone is to be relied on.
            known = some["known"].copy()
            known[:, CUSTOMS] *= r.random((BATCH, 1)) > 0.3
            known[:, SEEN] *= r.random((BATCH, 1)) > 0.1
            kept = ((r.random((BATCH, NARROW)) > 0.1) / 0.9).astype(np.float32)
            lesson = light, known, some["space"].astype(np.int32), some["sign"].astype(np.int32), kept
            p, m, v = step(p, m, v, float(t), rate, *lesson)
    print(f"{len(seams)} seams, {time.time() - began:.0f} s")
    return p


def short(v):
    """v in bfloat16, to the nearest."""
    bits = np.asarray(v, np.float32).ravel().view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2")


def told(name, p, seams, light=1):
    see = jax.jit(network)
    out = np.concatenate([see(p, level(s["light"]) * light, s["known"]) for s in np.array_split(seams, 1 + len(seams) // 2048)])
    inner, space = seams["space"] < 2, seams["space"] == 1
    wrong = inner & ((out[:, 0] > 0) != space)
    got = np.where(jax.nn.softmax(out[:, 1:]).max(1) > 0.5, out[:, 1:].argmax(1), 0)
    signs = [f"{(got[seams['sign'] == k] == k).sum()} of {(seams['sign'] == k).sum()}, {((got == k) & (seams['sign'] != k)).sum()} too many" for k in range(1, 1 + SIGNS)]
    print(f"{name}: {inner.sum()} seams, {space.sum()} spaces, wrong {wrong.sum()} ({100 * wrong.sum() / inner.sum():.2f} %), {(wrong & space).sum()} of them missed;", "; ".join(signs))


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("out")
    a.add_argument("--taught", nargs="+", required=True)
    a.add_argument("--held", nargs="+", required=True)
    o = a.parse_args()
    taught, held = (np.concatenate([np.fromfile(f, SEAM) for f in files]) for files in (o.taught, o.held))
    p = teach(taught)
    ships = {k: short(v) for k, v in p.items()}
    p = {k: (v.astype(np.uint32) << 16).view(np.float32).reshape(p[k].shape) for k, v in ships.items()}
    with open(o.out, "wb") as f:
        f.write(b"".join(ships[k].tobytes() for k in ORDER))
    told("taught", p, taught)
    told("held", p, held)
    told("held, no picture", p, held, 0)


if __name__ == "__main__":
    main()

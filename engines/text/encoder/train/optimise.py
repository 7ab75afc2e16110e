"""The optimiser: AdamW, warmed up and falling in a straight line, gradients clipped, with a
running mean of the weights, which is what ships.

Its state is a dict of dicts by weight: "p" the weights, "m" and "v" the means of their
gradients and of those squared, "mean" the running mean.
"""
import jax
import jax.numpy as jnp

WARM, DECAY = 0.06, 0.01  # share of steps to warm up, weight decay
BETA1, BETA2, TINY = 0.9, 0.98, 1e-6
KEEP = 0.998  # of the running mean of the weights
HEAD = 5.0  # how many times as far a new head goes a step


def begin(p, frozen):
    """Parts weights, a dict of arrays, into the state of those to train, the head and the layers
    from frozen on, and a dict of the rest."""

    def is_trained(name):
        return name.startswith("head.") or name.startswith("encoder.") and int(name.split(".")[2]) >= frozen

    trained = {k: v for k, v in p.items() if is_trained(k)}
    fixed = {k: v for k, v in p.items() if k not in trained}
    zero = {k: jnp.zeros_like(v) for k, v in trained.items()}
    return {"p": trained, "m": zero, "v": dict(zero), "mean": trained}, fixed


def stepper(loss, top):
    """A compiled step of loss(trained, fixed, ids, mask, y, weight, key, frozen), in which
    Adam's step is at most top. It is called step(state, fixed, ids, mask, y, weight, n, total,
    seed, frozen), with n the steps before it of total, and gives the new state and the loss.
    Chance comes of seed and n alone, so that a run may be cut anywhere."""

    def step(state, fixed, ids, mask, y, weight, n, total, seed, frozen):
        key = jax.random.fold_in(jax.random.key(seed), n)
        value, grad = jax.value_and_grad(loss)(state["p"], fixed, ids, mask, y, weight, key, frozen)
        return moved(state, grad, n, total, top), value

    return jax.jit(step, static_argnums=(9,))


def moved(state, grad, n, total, top):
    """The state after step n of total, counted from 0; top is the largest of Adam's steps."""
    size = jnp.sqrt(sum(jnp.vdot(g, g) for g in grad.values()))
    clip = jnp.minimum(1.0, 1.0 / (size + 1e-6))
    at = n / total
    rate = top * jnp.maximum(jnp.minimum(at / WARM, (1 - at) / (1 - WARM)), 0)
    t = n + 1.0
    new = {"p": {}, "m": {}, "v": {}, "mean": {}}
    for k, g in grad.items():
        g = g * clip
        m = BETA1 * state["m"][k] + (1 - BETA1) * g
        v = BETA2 * state["v"][k] + (1 - BETA2) * g * g
        move = (m / (1 - BETA1**t)) / (jnp.sqrt(v / (1 - BETA2**t)) + TINY)
        p = state["p"][k]
        if p.ndim == 2:  # neither biases nor normalisations are drawn to nothing
            move = move + DECAY * p
        p = p - rate * (HEAD if k.startswith("head.") else 1.0) * move
        keep = jnp.minimum(KEEP, t / (t + 10))  # early on the mean is of fewer steps
        new["p"][k], new["m"][k], new["v"][k] = p, m, v
        new["mean"][k] = keep * state["mean"][k] + (1 - keep) * p
    return new

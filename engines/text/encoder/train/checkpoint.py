"""Checkpoints of a training: a .npz with the state of the optimiser (optimise.py), its arrays
named part/weight, and "step", how many steps were made."""
import os

import jax.numpy as jnp
import numpy as np

import encoder


def save(path, state, n):
    """Writes it under another name first, so that an end at any time leaves the former one."""
    flat = {f"{part}/{k}": np.asarray(v) for part, d in state.items() for k, v in d.items()}
    np.savez(path + ".new.npz", step=n, **flat)
    os.replace(path + ".new.npz", path)


def restore(path):
    """The state, and how many steps were made."""
    state, f = {}, np.load(path)
    for name in f.files:
        if name != "step":
            part, k = name.split("/", 1)
            state.setdefault(part, {})[k] = jnp.asarray(f[name])
    return state, int(f["step"])


def trained(*paths):
    """What a training leaves, by name, and after how many steps: the mean of the weights; of
    several trainings, each of which went on from the one before, the mean of theirs."""
    files = [np.load(path) for path in paths]
    names = [k for k in files[0].files if k.startswith("mean/")]
    return {k[len("mean/") :]: np.mean([f[k] for f in files], axis=0, dtype=np.float64).astype(np.float32) for k in names}, sum(int(f["step"]) for f in files)


def publish(path, upper):
    """Writes trained weights as they are published, matrices turned back."""
    np.savez(path, **{k: np.ascontiguousarray(v.T if encoder.turned(k) else v) for k, v in upper.items()})

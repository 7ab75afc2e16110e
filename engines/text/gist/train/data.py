"""Rows to learn from: (text, language, yes, asked, weight, source), by kind.

yes and asked hold a bit for each of KINDS: what a row is, and what it says anything about.
"""
import glob
import gzip
import json
import os
import random
import re

import tokenizers
import yaml

import shared

KINDS = ("spam", "illegal", "privacy", "abuse", "hate")
SPAM, ILLEGAL, PRIVACY, ABUSES, HATE = (1 << i for i in range(len(KINDS)))
ALL = (1 << len(KINDS)) - 1
ABUSE = {"harassment", "hate", "violence", "sexual"}  # labels that are abuse
LONGEST = 64  # tokens, <s> and </s> counted in
BUCKETS = (8, 12, 16, 20, 24, 28, 32, 40, 48, 64)
PAD, EMPTY = 1, [0, 2]  # id behind the end of a row, and ids of a row of no text
HELD_LINES, HELD_ROWS = 10, 24  # one in so many is kept for the fit of both stages
DIGITS, BARE, BESIDE = 0.5, 0.15, 0.2  # of the lines have other digits, no capitals or mark, small talk beside
SMALL = 80  # code points of small talk, at most
FILLED = 2  # most ways in which the slots of a line are filled
GIVEN = {"clean": 400, "abuse": 300, "other": 300}  # most rows of a language that has lines, an epoch
FEW = 40  # most of each in another language
WEIGHT = 0.5  # of a given row
# Sources of hate beside what only looks like it: the most rows that are hate and that are not
# (None: all), and how much one weighs. Of the others clean rows are a sample.
CONTRASTS = {
    "dghs": (None, None, 1.0),
    "hatemojibuild": (None, None, 1.0),
    "hatexplain": (None, None, 0.7),
    "edos": (None, 3000, 0.7),
    "xstest": (None, None, 2.0),
    "stormfront": (None, 1500, 0.7),
    "davidson": (None, 2000, 0.7),
    "measuring-hate": (2500, 0, 0.7),
    "toxic-spans": (None, 1500, 0.5),
    "catqa": (None, 0, 0.5),
    "paradetox": (0, 2500, 0.5),
    "gahd": (None, None, 1.0),
    "germeval18": (None, 1500, 0.7),
    "cold": (2000, 2000, 0.5),
    "cold-zht": (1000, 1000, 0.5),
    "swsr": (700, 700, 0.5),
    "k-mhas": (1500, 1000, 0.5),
    "kor-hate-speech": (1000, 700, 0.5),
    "hatescore": (None, 700, 0.5),
    "told-br": (None, 1000, 0.5),
    "teknofest-tr": (1200, 1000, 0.5),
    "ro-offense": (700, 700, 0.4),
    "thien-vi": (None, 1200, 0.5),
}
# Offensive rows of these are no verdict on hate: whoever judged them had a scale, and what
# lies in its middle would teach that slurs are harmless.
UNSURE = {"hatexplain", "germeval18"}
# Sources that label hate alone: their clean rows hold plain insults.
LEFT = {"edos"}


def fnv(text):
    """FNV-1a of 64 bits, by which engines/text/train holds lines back too."""
    h = 0xCBF29CE484222325
    for b in text.encode():
        h = (h ^ b) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


def kinds(labels):
    """The bits of a row's categories."""
    yes = sum(1 << i for i, k in enumerate(KINDS) if k in labels)
    return yes | (ABUSES if ABUSE & set(labels) else 0)


def written(folder, seed, held=False):
    """The written lines, their slots filled: by the same hash as the linear model's, one in ten is held back."""
    out = []
    for path in sorted(glob.glob(os.path.join(folder, "*.yaml"))):
        with open(path, encoding="utf-8") as f:
            file = yaml.load(f, Loader=yaml.CSafeLoader)
        slots = file.get("slots") or {}
        for key in sorted(file["lines"]):
            labels = () if key == "clean" else tuple(k.strip() for k in key.split("+"))
            for line in file["lines"][key]:
                h = fnv(line)
                if (h % HELD_LINES == 0) != held:
                    continue
                rng, seen = random.Random(seed ^ h), []
                for _ in range(FILLED):
                    text = re.sub(r"\{(\w+)\}", lambda m: rng.choice(slots[m[1]]) if slots.get(m[1]) else m[0], line)
                    if text not in seen:
                        seen.append(text)
                yes = kinds(labels)
                # An offer or a crime insults nobody by itself, and says nothing of abuse.
                asked = ALL if not yes or yes & ABUSES else ALL & ~ABUSES
                out += [(t, file["language"], yes, asked, 1.0, os.path.basename(path)) for t in seen]
    return out


def varied(lines, seed):
    """The lines as somebody else may have said them: other digits, no capitals, no mark at
    the end, and small talk before or behind, which makes nothing of a deal or abuse go away."""
    rng, small = random.Random(seed), {}
    for text, language, yes, _, _, _ in lines:
        if not yes and len(text) <= SMALL:
            small.setdefault(language, []).append(text)
    out = []
    for text, language, yes, asked, weight, source in lines:
        if rng.random() < DIGITS:
            text = re.sub(r"(?<=[0-9])[0-9]|[1-9]", lambda m: rng.choice("0123456789" if m.start() and text[m.start() - 1].isdigit() else "123456789"), text)
        if rng.random() < BARE:
            text = text.lower()
        if rng.random() < BARE:
            text = text.rstrip(".!?。！？") or text
        if rng.random() < BESIDE and len(text) <= 2 * SMALL and language in small:
            pair = [text, rng.choice(small[language])]
            rng.shuffle(pair)
            text = rng.choice((" ", ", ", ". ", " ... ")).join(pair)
        out.append((text, language, yes, asked, weight, source))
    return out


def share(lines, fresh, seed):
    """The lines of files that end in one of fresh twice, half of the others: what a network
    has learnt before it need not read as often. Without fresh all, once."""
    if not fresh:
        return lines
    rng, new = random.Random(seed), [l for l in lines if l[5].endswith(fresh)]
    old = [l for l in lines if not l[5].endswith(fresh)]
    return new + new + rng.sample(old, len(old) // 2)


def given(folder):
    """Rows of the data under licences that allow it, by language and what they are; and those of CONTRASTS."""
    groups, contrasts = {}, {}
    for pattern in ("permissive*.jsonl.gz", "by-sa*.jsonl.gz"):
        for name in sorted(glob.glob(os.path.join(folder, pattern))):
            with gzip.open(name, "rt", encoding="utf-8") as f:
                for line in f:
                    r = json.loads(line)
                    if r["split"] != "train" or r.get("sub") == "request" or not r["text"]:
                        continue
                    yes = kinds(r["labels"])
                    if r["toxic"] and not yes:
                        continue  # toxic in a way that has no head
                    if fnv(r["text"]) % HELD_ROWS == 0:
                        continue
                    what = "clean" if not r["toxic"] else "abuse" if yes & (SPAM | ILLEGAL | PRIVACY) == 0 else "other"
                    # Who labels abuse looks for it alone.
                    asked = ALL if what == "clean" else yes | SPAM | PRIVACY if what == "abuse" else SPAM | ILLEGAL | PRIVACY
                    source = r["source"]
                    # What only looks like hate may be abuse, or not: its judges were asked of hate.
                    if source in CONTRASTS and (r["toxic"] is False or yes & HATE or source not in UNSURE):
                        says = HATE | ABUSES | SPAM | PRIVACY if yes & HATE else HATE | SPAM | PRIVACY
                        contrasts.setdefault((source, yes & HATE > 0), []).append((r["text"][:400], r["lang"], yes, says, CONTRASTS[source][2], source))
                    if source in LEFT:
                        continue
                    groups.setdefault((r["lang"], what), []).append((r["text"][:400], r["lang"], yes, asked, WEIGHT, r["source"]))
    return groups, contrasts


def sample(groups, contrasts, languages, seed, part=1.0):
    """As many given rows of each language as GIVEN and FEW say, thrice as many of English; and of CONTRASTS, or a part of them."""
    rng, out = random.Random(seed), []
    for source, hate in sorted(contrasts):
        rows, most = contrasts[source, hate], CONTRASTS[source][0 if hate else 1]
        out += rng.sample(rows, int(part * min(len(rows), len(rows) if most is None else most)))
    for key in sorted(groups):
        rows = groups[key]
        most = (GIVEN[key[1]] if key[0] in languages else FEW) * (3 if key[0] == "en" else 1)
        out += rows if len(rows) <= most else rng.sample(rows, most)
    return out


class Reader:
    """Reads text into ids, as engines/text/gist does."""

    def __init__(self, packed):
        self.norm, self.bos, self.eos = packed.norm, packed.bos, packed.eos
        self.model = tokenizers.Tokenizer(tokenizers.models.Unigram(list(zip(packed.pieces, map(float, packed.scores))), unk_id=packed.unk, byte_fallback=False))

    def normal(self, text):
        text = "".join(self.norm.get(ord(c), c) for c in text)
        text = re.sub(" +", " ", text)
        return ("" if text.startswith(" ") else "\u2581") + text.replace(" ", "\u2581")

    def ids(self, texts):
        out = self.model.encode_batch([self.normal(t) for t in texts])
        return [[self.bos] + e.ids[: LONGEST - 2] + [self.eos] for e in out]


def batches(ids, tokens, rng=None):
    """Groups rows of like length: (indexes, ids, mask), as encoder/train/batches.py says."""
    return shared.batches.grouped(ids, tokens, BUCKETS, PAD, EMPTY, rng)

"""Rows to learn from and to measure on: (text, hate, weight, source)."""
import glob
import gzip
import json
import os
import random

import tokenizers
import yaml

import shared

LONGEST = 64  # tokens, [CLS] and [SEP] counted in
BUCKETS = (12, 16, 20, 24, 28, 32, 40, 48, 64)
PAD, EMPTY = 0, [101, 102]  # id behind the end of a row, and ids of a row of no text

# What a source's rows say of hate: the most rows to take of those that are hate and of
# those that are not (None: all), and how much one weighs. Sources in which hate was set
# beside what only looks like it come whole; of the others clean rows are a sample.
TRAIN = {
    "dghs": (None, None, 1.0),
    "hatemojibuild": (None, None, 1.0),
    "hatexplain": (None, None, 0.7),
    "edos": (None, 3000, 0.7),
    "xstest": (None, None, 2.0),
    "davidson": (None, 2000, 0.7),
    "measuring-hate": (2500, 0, 0.7),
    "toxic-spans": (None, 1500, 0.5),
    "catqa": (None, 0, 0.5),
    "paradetox": (0, 2500, 0.5),
    "ubuntu-irc": (0, 2000, 0.5),
    "tatoeba-laser": (0, 3000, 0.5),
    "chatterbot": (0, 1000, 0.5),
    "uci-sms": (0, 1500, 0.5),
    "medquad": (0, 500, 0.5),
    "xsafety": (0, 100, 0.5),
    "showdown-i18n": (0, 300, 0.5),
    "warframe-i18n": (0, 300, 0.5),
    "dariusk-corpora": (0, 500, 0.5),
    "synth-clean-game": (0, 100, 2.0),
}
# Offensive rows of these are no verdict on hate: whoever judged them had a scale, and
# what lies in its middle would teach that slurs are harmless.
UNSURE = {"hatexplain": {"harassment"}}


def rows(folder, patterns, languages=("en", "und", "en-SG")):
    """Yields the rows of the data's files that match a pattern, in the order of names."""
    for pattern in patterns:
        for name in sorted(glob.glob(os.path.join(folder, pattern))):
            with gzip.open(name, "rt", encoding="utf-8") as f:
                for line in f:
                    r = json.loads(line)
                    if r["lang"] in languages and r["text"]:
                        yield r


def written(path, seed, each=15):
    """Fills the slots of a file of written lines: each line gives up to each rows."""
    rng = random.Random(seed)
    with open(path, encoding="utf-8") as f:
        file = yaml.safe_load(f)
    out = []
    for key, lines in file["lines"].items():
        for line in lines:
            seen = set()
            for _ in range(each):
                text = line
                for slot, words in file.get("slots", {}).items():
                    while "{" + slot + "}" in text:
                        text = text.replace("{" + slot + "}", rng.choice(words), 1)
                seen.add(text)
            out += [(t, float("hate" in key), 0.5, "lines") for t in sorted(seen)]
    return out


def training(folder, lines, seed):
    """The rows to learn from, of permissive sources alone, in a fixed order."""
    taken = {}
    for r in rows(folder, ("permissive*.jsonl.gz",)):
        source = r["source"]
        if r["split"] != "train" or source not in TRAIN or r.get("sub") == "request":
            continue
        hate = "hate" in r["labels"]
        if not hate and UNSURE.get(source, set()) & set(r["labels"]):
            continue
        taken.setdefault((source, hate), []).append(r["text"])
    rng, out = random.Random(seed), []
    for (source, hate), texts in sorted(taken.items()):
        yes, no, weight = TRAIN[source]
        most = yes if hate else no
        if most is not None and len(texts) > most:
            texts = rng.sample(texts, most)
        out += [(t, float(hate), weight, source) for t in texts]
    for path in lines:
        out += written(path, seed)
    rng.shuffle(out)
    return out


class Reader:
    """Reads text into ids, as engines/text/meaning does."""

    def __init__(self, vocab):
        t = tokenizers.Tokenizer(tokenizers.models.WordPiece.from_file(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
        t.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
        t.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
        t.post_processor = tokenizers.processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 101), ("[SEP]", 102)])
        t.enable_truncation(LONGEST)
        self.tokenizer = t

    def ids(self, texts):
        return [e.ids for e in self.tokenizer.encode_batch(texts)]


def batches(ids, tokens, rng=None):
    """Groups rows of like length: (indexes, ids, mask), as encoder/train/batches.py says."""
    return shared.batches.grouped(ids, tokens, BUCKETS, PAD, EMPTY, rng)

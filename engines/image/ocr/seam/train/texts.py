"""Writes the lines that seams are drawn of, one a line.

texts.py DATA PHRASES OUT: OUT/taught.txt and, of other rows, OUT/held.txt; of an eighth of the rows in Korean of DATA/permissive*.jsonl.gz, pieces
between words, some with a number, a key or a word of Latin, some with a small sign. What shares five
syllables in a row with the phrases that the measure draws (PHRASES, internal/pictures/phrase.go) is
left out.
"""

import gzip
import json
import random
import re
import sys
import unicodedata

RUN = 5  # syllables


def syllables(text):
    return re.sub(r"[^가-힣]", "", text)


def measured(phrases):
    """The runs of syllables of the measure's phrases; short phrases are one."""
    source = open(phrases).read()
    runs = set()
    for phrase in re.findall(r'"([^"]*)"', source[source.index("\tKorean: {") : source.index("\tThai: {")]):
        for part in map(syllables, re.split(r"\{\w+\}", phrase)):
            runs |= {part[i : i + RUN] for i in range(len(part) - RUN + 1)}
            if len(part) == RUN - 1:
                runs.add(part)
    return runs


def rows(data, runs):
    for name in ("permissive", "permissive2"):
        with gzip.open(f"{data}/{name}.jsonl.gz", "rt") as lines:
            for row in map(json.loads, lines):
                if row["lang"] != "ko":
                    continue
                for text in row["text"].split("\n"):
                    text = " ".join(unicodedata.normalize("NFC", text).split())
                    own = syllables(text)
                    if len(text) >= 4 and 2 * len(own) >= len(text) and not any(run in own for run in runs):
                        yield text


def drawable(c):
    """What all fonts have: ASCII and the syllables of KS X 1001."""
    try:
        return c.isascii() or "가" <= c <= "힣" and len(c.encode("euc_kr")) == 2
    except UnicodeEncodeError:
        return False


def pieces(text, rng):
    words = text.split(" ")
    while words:
        n, part = rng.choice([6, 10, 14, 18, 22]), [words.pop(0)]
        while words and len(" ".join(part)) + len(words[0]) < n:
            part.append(words.pop(0))
        if 4 <= len(" ".join(part)) <= 24:
            yield " ".join(part)


def numbered(text, rng):
    number, key = rng.randint(1, 9999), rng.choice("QWERTYFGZXCV") + rng.choice(["키를", "키로", "키", "가", "는", "로"])
    word = rng.choice([
        str(rng.randint(1, 9)), str(rng.randint(1, 9)), str(number), f"{number}{rng.choice('개분초시일점명원번장킬골단')}", f"+{rng.randint(1, 500)}",
        f"x{rng.randint(2, 99)}", f"{rng.randint(1, 100)}%", f"{rng.randint(0, 23)}:{rng.randint(0, 59):02d}", f"Lv.{rng.randint(1, 99)}",
        rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), key, key, "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(2, 6))),
    ])  # fmt: skip
    words = text.split(" ")
    words.insert(rng.randint(0, len(words)), word)
    return " ".join(words)


def signed(text, rng):
    words = text.split(" ")
    i = rng.randrange(max(1, len(words) - 1))
    words[i] = words[i].rstrip(",.:!?~") + rng.choice("::,,,.")
    return " ".join(words)


def drawn(text, rng):
    for piece in pieces(text, rng):
        if rng.random() < 0.3:
            piece = numbered(piece, rng)
        if rng.random() < 0.3:
            piece = signed(piece, rng)
        if len(piece) <= 26:
            yield piece


def main(data, phrases, out):
    rng = random.Random(11)
    texts = sorted(set(rows(data, measured(phrases))))
    rng.shuffle(texts)
    some = texts[: len(texts) // 8]
    for name, part in (("taught", some[len(some) // 6 :]), ("held", some[: len(some) // 6])):
        lines = [line for text in part if all(map(drawable, text)) for line in drawn(text, rng)]
        rng.shuffle(lines)
        with open(f"{out}/{name}.txt", "w") as f:
            f.write("\n".join(lines) + "\n")
        print(len(lines), "lines", name)


main(*sys.argv[1:])

"""Writes the lines that the network for Thai is taught and held against, one a line each.

texts.py DATA OUT: of the rows in Thai of DATA/permissive.jsonl.gz and permissive2.jsonl.gz
(licences that allow it: CC0, CC-BY, MIT; see the card). Rows of the split dev are held out.
OUT/texts.txt, OUT/held.txt, OUT/signs.txt: what is taught, what is held out, the classes.
"""

import gzip
import json
import random
import sys
import unicodedata

THAI = [chr(c) for c in [*range(0x0E01, 0x0E3B), 0x0E3F, *range(0x0E40, 0x0E4F)] if chr(c) not in "ฃฅ"]
ASCII = [chr(c) for c in range(0x21, 0x7F) if chr(c) not in "`~^|\\{}"]
SIGNS = THAI + ASCII + [" "]
LETTERS = [c for c in THAI if "ก" <= c <= "ฮ" and c not in "ฤฦ"]
ABOVE, BELOW, TONES = "ัิีึื็", "ุู", "่้๊๋์"
CLINGS = set("ะาำๅๆฯ" + ABOVE + BELOW + TONES + "ํฺ")


def clean(text):
    """The text in the classes' signs, or None where it has others."""
    text = unicodedata.normalize("NFC", text).replace("ํา", "ำ")
    text = " ".join(text.split())
    return text if text and all(c in ALLOWED for c in text) else None


ALLOWED = set(SIGNS)


def pieces(text, rng):
    """Parts of 3 to 32 signs that begin and end between syllables."""
    while text:
        n = rng.choice([6, 10, 14, 18, 24, 32])
        while n < len(text) and (text[n] in CLINGS or text[n - 1] in "เแโใไ"):
            n += 1
        part, text = text[:n].strip(), text[n:].strip()
        if len(part) >= 3:
            yield part


def syllables(rng):
    """Syllables that mean nothing: combinations that sentences hold too rarely."""
    out = ""
    for _ in range(rng.randint(3, 7)):
        s = rng.choice("เแโใไ" + " " * 8).strip() + rng.choice(LETTERS)
        s += rng.choice([rng.choice(ABOVE), rng.choice(BELOW), "", ""]) + rng.choice([rng.choice(TONES), "", ""])
        out += s + rng.choice(["ะ", "า", "ำ", "", "", rng.choice(LETTERS)])
    return out


def numbered(text, rng):
    """The text with a number, a sign or a Latin word put at one of its spaces or an end."""
    word = rng.choice(["%d" % rng.randint(1, 9), "%d" % rng.randint(10, 9999), "+%d" % rng.randint(1, 500), "x%d" % rng.randint(2, 99),
                       "%d%%" % rng.randint(1, 100), "%d:%02d" % (rng.randint(0, 23), rng.randint(0, 59)), rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
                       "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(2, 7))), "!", "?", "Lv.%d" % rng.randint(1, 99)])
    parts = text.split(" ")
    parts.insert(rng.randint(0, len(parts)), word)
    return " ".join(parts)


def main(data, out):
    rng = random.Random(6)
    taught, held = [], []
    for name in ("permissive", "permissive2"):
        with gzip.open(f"{data}/{name}.jsonl.gz", "rt") as rows:
            for row in map(json.loads, rows):
                if row["lang"] != "th":
                    continue
                for sentence in row["text"].split("\n"):
                    text = clean(sentence)
                    if text and sum(c in THAI for c in text) * 2 > len(text):
                        (held if row["split"] == "dev" else taught).extend(pieces(text, rng))
    taught, held = sorted(set(taught)), sorted(set(held) - set(taught))
    rng.shuffle(taught)
    n = len(taught)
    taught += [numbered(t, rng) for t in taught[: n // 5]] + [syllables(rng) for _ in range(n // 6)]
    rng.shuffle(held)
    for name, lines in (("texts", taught), ("held", held), ("signs", SIGNS)):
        with open(f"{out}/{name}.txt", "w") as f:
            f.write("\n".join(lines) + "\n")
    print(len(taught), "lines taught,", len(held), "held out,", len(SIGNS), "signs")


main(*sys.argv[1:])

"""Leaves what ships: the trained tensors, how to run them, and lines with their logits."""
import argparse
import json
import os

import data
import measure
from shared import checkpoint

# Lines of no source: everyday chat, attacks on no real group, and texts that try the tokeniser.
GOLDEN = """gg wp everyone, same time tomorrow?
we need one more healer for the raid
i am so tired of this queue
my best friend is a muslim and he carries me every game
women are not welcome in this guild
nobody should be treated worse for being gay
people like them should go back to where they came from
it is wrong to say that immigrants are lazy
why are all of them such liars
jewish holidays start at sunset, so i log off early
the black knight has 400 armour
kill the boss first, then the adds
they breed like vermin and ruin every town
he told me girls can't aim, and i told him to look at the scoreboard
as a trans woman i feel safe in this clan
you lot are a plague on this country
i don't hate anyone, i just hate this map
Café au lait, naïve façade, Ångström
ÜBER-lange Wörter: Donaudampfschifffahrtsgesellschaft
日本語 and 中文 mixed with english
emoji 😀 😡 and more text
!!!??? ... --- ***
can't won't shouldn't've
http://example.com/path?x=1&y=2
A B C D E F G
tab\tand  double  spaces
they're not even human, are they
the old lady next door is lovely
refugees made this village better
those refugees made this village a dump
I LOVE EVERY ONE OF YOU
i will report whoever wrote that about asians
"all men are trash" is not an argument
men are trash
respect to the women who built this mod
send them back, all of them
who wants to trade a blue sword
my grandfather fought the nazis
the nazis had the right idea
disabled players ask for bigger fonts
disabled people are a burden
christians, jews and hindus play here together
stop calling people that
if you are from there you are dirty, simple as that
not all of them are criminals
no one here is a criminal
what time is it in mexico
mexico won the cup
x
the rest of this line is long so that it is cut at sixty four tokens and no more, because the reader stops there: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six""".split("\n")


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--base", required=True)
    a.add_argument("--checkpoint", required=True)
    a.add_argument("--frozen", type=int, default=2)
    a.add_argument("--out", required=True)
    o = a.parse_args()
    os.makedirs(o.out, exist_ok=True)
    upper, steps = checkpoint.trained(o.checkpoint)
    checkpoint.publish(os.path.join(o.out, "trained.npz"), upper)
    how = {"frozen_layers": o.frozen, "pooling": "mean over all tokens, [CLS] and [SEP] among them", "max_tokens": data.LONGEST, "lower": True,
           "head": "tanh(head.dense.weight x + head.dense.bias), then head.out.weight . + head.out.bias", "steps": steps}
    with open(os.path.join(o.out, "how.json"), "w", encoding="utf-8") as out:
        json.dump(how, out, indent=1)
    p = measure.assemble(o.base, upper)
    texts = [t.replace("\\t", "\t") for t in GOLDEN]
    ids = data.Reader(os.path.join(o.base, "vocab.txt")).ids(texts)
    z = measure.score(p, ids, exact=True)
    with open(os.path.join(o.out, "golden.jsonl"), "w", encoding="utf-8") as out:
        for t, i, l in zip(texts, ids, z):
            out.write(json.dumps({"text": t, "ids": i, "logit": round(float(l), 5)}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

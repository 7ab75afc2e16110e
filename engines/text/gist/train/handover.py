"""Leaves what ships: the trained tensors, how to run them, and lines with their log-odds.
engines/text/gist/pack takes it into the repository."""
import argparse
import json
import os

import base
import data
import measure
from shared import checkpoint

# Lines of no source: everyday chat, offers and innocent talk that looks like them in many languages, and texts that try the tokeniser.
GOLDEN = """gg wp everyone, same time tomorrow?
selling 40k gold for twelve dollars, paypal only
trading my blue sword for two healing potions
my parcel number is 4410 2231 and it is still in leipzig
text me at 212-555-0147, i am always up
who knows somebody that prints ids, asking for a friend
you lot are a plague on this country
kill the boss first, then the adds
Café au lait, naïve façade, Ångström
ÜBER-lange Wörter: Donaudampfschifffahrtsgesellschaft
verkaufe meinen account, 50 euro, bei interesse pn
vendo cuenta con todas las skins, pago por bizum
je cherche quelqu'un pour le raid de ce soir
продам аккаунт, недорого, пишите в личку
ゴールド販売中です、DMください
今日のレイドは何時からですか
出售账号，价格面议，加我微信
今晚一起打副本吗
골드 팝니다 카톡 주세요
오늘 레이드 몇 시에 해요?
ขายไอดีเกม ราคาถูก ทักแชทมาเลย
คืนนี้ลงดันเจี้ยนกันไหม
bán acc giá rẻ, ai mua ib mình
jual akun murah, minat pm ya
hesap satıyorum, fiyat uygun, özelden yazın
sprzedam konto, tanio, pisz na priv
verkoop mijn account, stuur een berichtje
أبيع حسابي بسعر رخيص، راسلني
हैलो दोस्तों, आज रात का मैच कब है
अपना अकाउंट बेच रहा हूँ, मैसेज करो
ქართული ტექსტი და ελληνικά μαζί
emoji 😀 😡 and more text 👩‍👩‍👧
!!!??? ... --- ***
http://example.com/path?x=1&y=2
ＦＵＬＬ　ｗｉｄｔｈ and ﬁne ligatures ½ ™
tab\tand  double   spaces
x
the rest of this line is long so that it is cut at sixty four tokens and no more, because the reader stops there: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six""".split("\n")


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--base", required=True)
    a.add_argument("--checkpoint", required=True, nargs="+", help="of several, the mean of their weights")
    a.add_argument("--out", required=True)
    o = a.parse_args()
    os.makedirs(o.out, exist_ok=True)
    packed = base.Packed(o.base)
    upper, steps = checkpoint.trained(*o.checkpoint)
    checkpoint.publish(os.path.join(o.out, "trained.npz"), upper)
    frozen = min(int(k.split(".")[2]) for k in upper if k.startswith("encoder."))
    how = {"frozen_layers": frozen, "pooling": "mean over all tokens, <s> and </s> among them", "max_tokens": data.LONGEST, "kinds": data.KINDS,
           "head": "tanh(head.dense.weight x + head.dense.bias), then head.out.weight . + head.out.bias", "steps": steps}
    with open(os.path.join(o.out, "how.json"), "w", encoding="utf-8") as out:
        json.dump(how, out, indent=1)
    texts = GOLDEN + [""]
    ids = data.Reader(packed).ids(texts)
    z = measure.score(measure.assemble(packed, upper), ids, exact=True)
    with open(os.path.join(o.out, "golden.jsonl"), "w", encoding="utf-8") as out:
        for t, i, l in zip(texts, ids, z):
            out.write(json.dumps({"text": t, "ids": i, "logits": [round(float(x), 5) for x in l]}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// adverts are offers of game money as sellers draw them into pictures: an offer, a price
// and where to buy. {n} is an amount, {p} a price, {s} a seller.
var adverts = map[pictures.Lang][]string{
	pictures.English: {
		"Cheap gold for sale: {n}k = ${p}, visit {s}.example", "BUY GOLD {n}M for ${p} fast delivery {s}.example", "Selling gold {n}k only ${p}, discord {s}#{n}",
		"WTS {n}k gold ${p} paypal, whisper {s}",
	},
	pictures.Chinese: {
		"出售金币 {n}万 = {p}元 加微信 {s}", "低价金币{n}万只要{p}元 QQ {n}{p}{n}77", "代练升级 {p}元起 微信 {s}", "收售游戏币 {n}万{p}元 加Q {n}{n}{p}8",
	},
}

// drawn looks at n clean pictures and at n with an advert, both of a size, half of them
// with lines that are turned.
func (r *imageRun) drawn(ctx context.Context, n int, seed uint64) error {
	for i := range n {
		at := seed + uint64(i) //nolint:gosec // not negative
		rng := rand.New(rand.NewPCG(at, 0x61647665))
		lang := []pictures.Lang{pictures.English, pictures.Chinese}[i/2%2]
		o := pictures.Options{MaxAngle: 15}
		if i%2 == 1 {
			o.Lines, o.Langs = 3+i/2%2, []pictures.Lang{pictures.Langs[i/2%len(pictures.Langs)]}
		}
		if err := r.draw(ctx, "clean", at, o); err != nil {
			return err
		}
		o = pictures.Options{MaxAngle: 15, Langs: []pictures.Lang{lang}, Texts: []string{advert(rng, lang)}}
		for range i % 3 {
			o.Texts = append(o.Texts, pictures.Phrase(rng, lang))
		}
		if err := r.draw(ctx, "spam", at+1_000_000, o); err != nil {
			return err
		}
	}
	return nil
}

func (r *imageRun) draw(ctx context.Context, label string, seed uint64, o pictures.Options) error {
	p, err := pictures.Screenshot(seed, o)
	if err != nil {
		return err //nolint:wrapcheck // it says what it is
	}
	var lines strings.Builder
	for _, l := range p.Lines {
		lines.WriteString(" " + l.Text)
	}
	return r.one(ctx, label, fmt.Sprintf("%s %d%s", label, seed, lines.String()), p.JPEG)
}

// advert is an offer with its blanks filled.
func advert(rng *rand.Rand, lang pictures.Lang) string {
	of := adverts[lang]
	seller := []string{"goldhut", "mmocoins", "rmtking", "fastgil", "coinbay7"}[rng.IntN(5)]
	return strings.NewReplacer("{n}", strconv.Itoa(10+rng.IntN(90)), "{p}", strconv.Itoa(3+rng.IntN(40)), "{s}", seller).Replace(of[rng.IntN(len(of))])
}

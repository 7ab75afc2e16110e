package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// model is a softmax over languages in which a bucket has weights for a few
// languages alone: those that it speaks for most.
type model struct {
	tags  int
	slots [lang.Buckets][lang.Slots]lang.Tag
	w, g  [lang.Buckets][lang.Slots]float32 // weights and their summed squared gradients
	bias  []float32
	biasG []float32
	byTag [][]row
	live  []lang.Tag // languages with rows
}

func newModel(rows []row) *model {
	n := len(lang.Tags()) + 1
	m := &model{tags: n, bias: make([]float32, n), biasG: make([]float32, n), byTag: make([][]row, n)}
	for _, r := range rows {
		m.byTag[r.tag] = append(m.byTag[r.tag], r)
	}
	for t := range m.byTag {
		if len(m.byTag[t]) > 0 {
			m.live = append(m.live, lang.Tag(t))
		}
	}
	return m
}

// choose gives every bucket the languages in which it is most frequent.
func (m *model) choose(rows []row) {
	counts := make([]float32, lang.Buckets*m.tags)
	totals := make([]float32, m.tags)
	for _, r := range rows {
		seen := func(b uint32) {
			counts[int(b)*m.tags+int(r.tag)]++
			totals[r.tag]++
		}
		lang.Features(r.text, seen)
		if bare := stripped(r.text); bare != r.text {
			lang.Features(bare, seen)
		}
	}
	order := make([]lang.Tag, m.tags)
	for b := range m.slots {
		row := counts[b*m.tags : (b+1)*m.tags]
		for t := range order {
			order[t] = lang.Tag(t)
		}
		// Rare counts are shrunk, or languages with few rows would own the buckets.
		score := func(t lang.Tag) float32 {
			if row[t] == 0 {
				return 0
			}
			return row[t] / (totals[t] + 20000)
		}
		slices.SortStableFunc(order, func(a, b lang.Tag) int { return cmp.Compare(score(b), score(a)) })
		for k := range lang.Slots {
			if score(order[k]) > 0 {
				m.slots[b][k] = order[k]
			}
		}
	}
}

// noise are words of chat that are of no language.
var noise = strings.Fields("gg wp lol xd afk ez ok lmao omg haha hahaha jaja wtf noob pls xp hp mid bot top lag op nice pvp boss dps gank")

const perTag = 3000 // samples of each language in an epoch

// epoch goes once through a sample of the rows: pieces of them of one to a dozen
// words, some without their accents, as chat is.
func (m *model) epoch(_ []row, e int) float64 {
	rng := rand.New(rand.NewPCG(uint64(e), 7)) //nolint:gosec // a fixed order, no secret
	var order []lang.Tag
	for _, t := range m.live {
		n := min(perTag, 6*len(m.byTag[t]))
		for range n {
			order = append(order, t)
		}
	}
	rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	loss := 0.0
	for _, t := range order {
		r := m.byTag[t][rng.IntN(len(m.byTag[t]))]
		loss += m.step(piece(r.text, rng), t)
	}
	return loss / float64(len(order))
}

// piece cuts a text down to a few words.
func piece(text string, rng *rand.Rand) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return text
	}
	n := min(len(words), 1+rng.IntN(12))
	from := rng.IntN(len(words) - n + 1)
	if len(words) == 1 {
		if rs := []rune(words[0]); len(rs) > 8 {
			n := 2 + rng.IntN(len(rs)-2)
			from := rng.IntN(len(rs) - n + 1)
			return string(rs[from : from+n])
		}
	}
	out := strings.Join(words[from:from+n], " ")
	if rng.IntN(3) == 0 {
		out = stripped(out)
	}
	if rng.IntN(4) == 0 {
		out += " " + noise[rng.IntN(len(noise))]
	}
	return out
}

// stripped takes the accents off Latin letters, as many people type.
func stripped(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < 0x80
	}
	if plain {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 || r > 0x24F && (r < 0x1E00 || r > 0x1EFF) {
			return r
		}
		switch r {
		case 'đ':
			return 'd'
		case 'ł':
			return 'l'
		case 'ı':
			return 'i'
		case 'ø':
			return 'o'
		}
		return []rune(norm.NFD.String(string(r)))[0]
	}, s)
}

const rate = 0.25

// step learns one text: AdaGrad on the logistic loss. It returns the loss.
func (m *model) step(text string, want lang.Tag) float64 {
	var buckets []uint32
	lang.Features(text, func(b uint32) { buckets = append(buckets, b) })
	if len(buckets) == 0 {
		return 0
	}
	score := slices.Clone(m.bias)
	for _, b := range buckets {
		for k, t := range m.slots[b] {
			score[t] += m.w[b][k]
		}
	}
	p := m.softmax(score)
	loss := -math.Log(math.Max(float64(p[want]), 1e-9))
	p[want]--
	for _, t := range m.live {
		m.biasG[t] += p[t] * p[t]
		m.bias[t] -= 0.05 * p[t] / float32(math.Sqrt(float64(m.biasG[t])+1))
	}
	for _, b := range buckets {
		for k, t := range m.slots[b] {
			d := p[t]
			if t == lang.None || d < 1e-4 && d > -1e-4 {
				continue
			}
			d += 2e-5 * m.w[b][k]
			m.g[b][k] += d * d
			m.w[b][k] -= rate * d / float32(math.Sqrt(float64(m.g[b][k])+0.1))
		}
	}
	return loss
}

// softmax turns the scores of the live languages into probabilities.
func (m *model) softmax(score []float32) []float32 {
	top := float32(math.Inf(-1))
	for _, t := range m.live {
		top = max(top, score[t])
	}
	p := make([]float32, m.tags)
	sum := float32(0)
	for _, t := range m.live {
		p[t] = float32(math.Exp(float64(score[t] - top)))
		sum += p[t]
	}
	for t := range p {
		p[t] /= sum
	}
	return p
}

// met says how often a language is met in chat, in nats beside a language of a few
// million speakers.
var met = map[string]float32{
	"en": 2, "es": 1, "pt": 1, "fr": 1, "de": 1, "ru": 1, "ja": 1, "ko": 1, "zh-Hans": 1.2, "zh-Hant": 0.8, "tr": 1, "id": 1, "vi": 1, "th": 1, "pl": 1, "it": 1,
	"ar": 1, "hi": 0.7, "bn": 0.5, "fa": 0.7, "uk": 0.5, "nl": 0.5, "sv": 0.5, "tl": 0.5, "ro": 0.5, "cs": 0.5, "hu": 0.5, "hi-Latn": 0.5, "ms": 0.3, "el": 0.5,
	"cbk": -2, "war": -1.5, "dtp": -2, "kab": -1, "ber": -1, "nds": -1, "pms": -2, "csb": -2, "hsb": -2, "dsb": -2, "kw": -2, "br": -1, "gd": -1, "ast": -1.5,
	"awa": -2, "mhr": -1.5, "la": -1, "eo": -1, "oc": -1.5, "gsw": -1, "pam": -1.5, "ml-Latn": -0.5, "nn": -1, "fo": -1, "fy": -1, "jv": -0.5, "xh": -1, "zu": -0.5,
	"yo": -0.5, "so": -0.5, "ha": -0.5, "ku": -0.3, "cy": -0.3, "ga": -0.3, "yi": -1, "ar-Latn": 0, "as": -1, "chr": -2,
}

// encode quantises the model and fits its heat.
func (m *model) encode(dev []row) []byte {
	weights := make([][lang.Slots]int8, lang.Buckets)
	tags := make([][lang.Slots]lang.Tag, lang.Buckets)
	for b := range m.w {
		for k, v := range m.w[b] {
			q := math.Round(float64(v) * lang.Scale)
			weights[b][k] = int8(min(max(q, -127), 127))
			if tags[b][k] = m.slots[b][k]; tags[b][k] == lang.None {
				weights[b][k] = 0
			}
		}
	}
	prior := make([]int32, m.tags)
	for t := range prior {
		v := m.bias[t] + met[lang.Tag(t).String()]
		if len(m.byTag[t]) == 0 { // a language that only its script tells
			v = -4
		}
		prior[t] = int32(math.Round(float64(v) * lang.Scale))
	}
	heat := m.heat(dev)
	fmt.Printf("heat %.2f\n", heat)
	return lang.Encode(tags, weights, prior, heat)
}

// heat returns what scores must be divided by for the loss on unseen text to be least.
func (m *model) heat(dev []row) float32 {
	rng := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // a fixed order, no secret
	best, bestLoss := float32(1), math.Inf(1)
	var scores [][]float32
	var want []lang.Tag
	for _, r := range dev {
		if hashText(r.text)%4 != 0 {
			continue
		}
		score := slices.Clone(m.bias)
		n := 0
		lang.Features(piece(r.text, rng), func(b uint32) {
			n++
			for k, t := range m.slots[b] {
				score[t] += m.w[b][k]
			}
		})
		if n > 0 {
			scores, want = append(scores, score), append(want, r.tag)
		}
	}
	for h := float32(1); h < 4; h += 0.1 {
		loss := 0.0
		for i, s := range scores {
			hot := make([]float32, len(s))
			for t := range s {
				hot[t] = s[t] / h
			}
			loss -= math.Log(math.Max(float64(m.softmax(hot)[want[i]]), 1e-9))
		}
		if loss < bestLoss {
			best, bestLoss = h, loss
		}
	}
	return best
}

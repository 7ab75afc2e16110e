package classify

import (
	"context"
	"fmt"
	"math"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
)

// The classes of nsfwjs-mid in the order of its output.
const (
	nsfwDrawing = iota
	nsfwHentai
	nsfwNeutral
	nsfwPorn
	nsfwSexy
	nsfwClasses
)

// The classes of image-safety-s in the order of its output: what nobody should see
// without warning (injury, death), what is sexual, and the rest.
const (
	safetyNSFL = iota
	safetyNSFW
	safetySFW
	safetyClasses
)

// nsfwInput is what nsfwjs does: bilinear with the corners on each other, whatever the
// proportions, 0 to 1. https://github.com/infinitered/nsfwjs, src/index.ts
var nsfwInput = Input{Width: 224, Height: 224, Layout: NHWC, Filter: Corners}

// safetyInput is 0 to 255: the graph normalises.
var safetyInput = Input{Width: 224, Height: 224, Layout: NCHW, Scale: 1}

// Rules name the models in signals.
const (
	ruleNudity = "model/nudity"
	ruleGore   = "model/gore"
)

// floor is the confidence below which nothing is said. Policy's most lenient cutoff is
// above it.
const floor = 0.2

// builtin looks for nudity and gore with the networks of the manifest; either may be nil.
type builtin struct{ nsfw, safety *network }

var _ image.Detector = (*builtin)(nil)

// Detect implements image.Detector.
func (d *builtin) Detect(ctx context.Context, p *image.Picture, out []engines.Signal) ([]engines.Signal, error) {
	var nsfw, safety []float64
	var err error
	if d.nsfw != nil {
		if nsfw, err = d.nsfw.scores(p.RGBA, nsfwClasses); err != nil {
			return out, fmt.Errorf("nudity model: %w", err)
		}
	}
	if err := ctx.Err(); err != nil {
		return out, err
	}
	if d.safety != nil {
		if safety, err = d.safety.scores(p.RGBA, safetyClasses); err != nil {
			return out, fmt.Errorf("gore model: %w", err)
		}
	}
	return judge(nsfw, safety, out), nil
}

// judge makes signals of what the networks say, nil for one that was not asked.
func judge(nsfw, safety []float64, out []engines.Signal) []engines.Signal {
	say := func(c engines.Category, sub string, severity int, confidence float64, rule string) {
		if confidence >= floor {
			out = append(out, engines.Signal{
				Category: c, SubLabel: sub, Severity: severity, Confidence: confidence, Source: engines.SourceModel, Rule: rule,
			})
		}
	}
	switch {
	case nsfw != nil:
		nudity, semi, sub := nsfw[nsfwPorn]+nsfw[nsfwHentai], nsfw[nsfwSexy], ""
		if nsfw[nsfwHentai] > nsfw[nsfwPorn] {
			sub = "drawn"
		}
		if safety != nil {
			nudity = pool(nudity, safety[safetyNSFW])
			// The second network has no class between naked and not: what it finds
			// sexual, and the first only scantily dressed, is both to a degree.
			semi = pool(semi, max(safety[safetyNSFW], semiDoubt))
		}
		say(engines.Nudity, sub, 3, nudity, ruleNudity)
		say(engines.SemiNudity, "", 1, semi, ruleNudity)
	case safety != nil:
		say(engines.Nudity, "", 3, safety[safetyNSFW], ruleNudity)
	}
	if safety != nil {
		say(engines.Gore, "", 3, safety[safetyNSFL], ruleGore)
	}
	return out
}

// semiDoubt is how likely a picture that the second network finds harmless still shows
// somebody scantily dressed: so it can lower that finding, never rule it out.
const semiDoubt = 0.2

// pool is the logarithmic pool of two probabilities with equal weights: the mean of
// their log odds (Genest and Zidek 1986). Two that agree keep what they say; one alone
// that is sure against one that is sure of the opposite comes to a half.
func pool(p, q float64) float64 {
	return 1 / (1 + math.Exp(-(logit(p)+logit(q))/2))
}

func logit(p float64) float64 {
	const least = 1e-3 // neither network is ever surer than that, whatever it says
	p = min(max(p, least), 1-least)
	return math.Log(p / (1 - p))
}

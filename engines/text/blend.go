package text

import (
	"context"
	_ "embed" // the weights
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// Side is one of the numbers that are weighed where both stages are heard.
type Side int

// What is weighed: log-odds of the network, log-odds of hate and of any abuse by the linear
// model, and whether (1 or 0) an attack on a group was found by its frame, swearing, an insult
// and a slur by the lists, and whether somebody is spoken to.
const (
	SideMeaning Side = iota
	SideHate
	SideAbuse
	SideFrame
	SideProfanity
	SideInsult
	SideSlur
	SideYou
	Sides
)

// sideNames are what the file of weights calls them.
var sideNames = [Sides]string{"meaning", "hate", "abuse", "frame", "profanity", "insult", "slur", "you"}

func (s Side) String() string { return sideNames[s] }

// Doubt is what is known of a message that both stages read.
type Doubt struct {
	// Named is set where it names a group of people.
	Named bool
	Sides [Sides]float64
}

// Blend is a logistic regression over the sides of a Doubt.
type Blend struct {
	Constant float64
	Weights  [Sides]float64
}

// LogOdds are those of an attack, by what both stages say.
func (b Blend) LogOdds(d *Doubt) float64 {
	sum := b.Constant
	for i, w := range b.Weights {
		sum += w * d.Sides[i]
	}
	return sum
}

// blendFile holds the regressions of messages that name a group and of others, as
// `portcullis train text-blend` left them; MODEL_CARD.md says of what they were fitted.
//
//go:embed blend.json
var blendFile []byte

// blends are the regressions, by whether a group is named. The file is of the build and
// TestBlendFile reads it, so that a fault in it is none of a message's.
var blends = sync.OnceValue(func() (out [2]Blend) {
	out, err := ReadBlends(blendFile)
	if err != nil {
		panic(err)
	}
	return out
})

// What the file calls the regressions, by place, and the constant of each.
var blendNames = [2]string{"unnamed", "named"}

const constantName = "constant"

// ReadBlends reads a file of weights: the regression of messages that name nobody, and that
// of those that name a group.
func ReadBlends(data []byte) (out [2]Blend, err error) {
	var f map[string]map[string]float64
	if err := json.Unmarshal(data, &f); err != nil {
		return out, fmt.Errorf("read the blend: %w", err)
	}
	for i, name := range blendNames {
		from := f[name]
		weight := func(of string) float64 {
			w, ok := from[of]
			if !ok && err == nil {
				err = fmt.Errorf("read the blend: %s has no %s", name, of)
			}
			return w
		}
		out[i].Constant = weight(constantName)
		for s := range Sides {
			out[i].Weights[s] = weight(s.String())
		}
		if err == nil && len(from) != int(Sides)+1 {
			err = fmt.Errorf("read the blend: %s has %d weights, want %d", name, len(from), Sides+1)
		}
	}
	return out, err
}

// WriteBlends is the file that ReadBlends reads.
func WriteBlends(blends [2]Blend) ([]byte, error) {
	f := map[string]map[string]float64{}
	for i, name := range blendNames {
		f[name] = map[string]float64{constantName: blends[i].Constant}
		for s := range Sides {
			f[name][s.String()] = blends[i].Weights[s]
		}
	}
	out, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the blend: %w", err)
	}
	return append(out, '\n'), nil
}

// both is the probability of an attack, by what both stages say.
func (d *Doubt) both() float64 {
	n := 0
	if d.Named {
		n = 1
	}
	return expit(blends()[n].LogOdds(d))
}

// doubt gathers what is weighed of a message with the signals found.
func (s *scratch) doubt(p *[classifier.Heads]float64, meaning float64, found []engines.Signal) Doubt {
	d := Doubt{Named: s.facts.named}
	d.Sides[SideMeaning] = meaning
	d.Sides[SideHate] = within(p[classifier.Hate])
	d.Sides[SideAbuse] = within(p[classifier.Abuse])
	if s.parts&partYou != 0 {
		d.Sides[SideYou] = 1
	}
	for i := range found {
		g := &found[i]
		if g.Source != engines.SourceLexicon || g.Confidence < evident {
			continue
		}
		switch g.SubLabel {
		case groupAttack:
			d.Sides[SideFrame] = 1
		case "profanity":
			d.Sides[SideProfanity] = 1
		case "insult":
			d.Sides[SideInsult] = 1
		case "slur":
			d.Sides[SideSlur] = 1
		}
	}
	return d
}

// within are log-odds of a probability that is not quite sure of anything.
func within(p float64) float64 {
	const unsure = 0.002
	p = min(max(p, unsure), 1-unsure)
	return math.Log(p / (1 - p))
}

// Doubt is what both stages know of an item; asked is false where the second is not asked
// about it, or gives no answer. It is for engines/text/train.
func (e *Engine) Doubt(ctx context.Context, item *engines.Item, m Attacks) (d Doubt, asked bool, err error) {
	s := e.scratch()
	defer e.pool.Put(s)
	found, err := e.find(ctx, s, item, nil)
	if err != nil || e.model == nil || !s.wordy() {
		return d, false, err
	}
	p, found := e.firstStage(s, found, 0)
	if !s.asks(item, found) {
		return d, false, nil
	}
	logOdds, ok := m.Read(ctx, unaddressed(item.Text))
	return s.doubt(&p, logOdds, found), ok, nil
}

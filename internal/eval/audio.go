package eval

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/acoustic"
	"github.com/portcullis-gg/portcullis/engines/audio/vad"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// AudioOptions says what of sound to measure on.
type AudioOptions struct {
	// Cases is how many of each kind, Spoken how many ten seconds of speech.
	Cases, Spoken int
	// Kinds are those to make; none are all of sounds.Kinds.
	Kinds []string
	// Voices is how many voices are told apart.
	Voices int
	// Seed is of what is made; those below 1000 were used to find the thresholds, so
	// figures come from others.
	Seed uint64
	// Models is the folder of models; without voice activity in it, or with "", the
	// figures are those of a gateway without it.
	Models string
}

// AudioReport is what came out.
type AudioReport struct {
	Voices string       `json:"voices"` // what spoke
	VAD    bool         `json:"vad"`
	Kinds  []SoundFound `json:"kinds"`
	Spoken int          `json:"spoken"` // cases of speech alone
	// Flagged is how many of those had an anomaly, and of which kinds.
	Flagged int            `json:"flagged"`
	By      map[string]int `json:"by,omitempty"`
	Goals   bool           `json:"goals"` // whether both are met
	// Told is nil where there is no model of voices, or none that speak.
	Told *VoicesFound `json:"told_apart,omitempty"`
}

// SoundFound is how much of a kind was found.
type SoundFound struct {
	Kind  string `json:"kind"`
	Cases int    `json:"cases"`
	Found int    `json:"found"`
	// Missed is which of the kind were not, where they are told apart.
	Missed map[string]int `json:"missed,omitempty"`
	// Also is what else was found in them.
	Also map[string]int `json:"also,omitempty"`
}

// The goals of issue 7.
const (
	audioRecall = 0.95
	audioFalse  = 0.01
)

func audioMain(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := AudioOptions{}
	f := flag.NewFlagSet("eval audio", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.Cases, "cases", 60, "of each kind of anomaly")
	f.IntVar(&o.Spoken, "spoken", 300, "ten seconds of speech without any")
	kinds := f.String("kinds", "", "kinds of anomaly to make, divided by commas (default: all)")
	f.IntVar(&o.Voices, "voices", 40, "that are told apart")
	f.Uint64Var(&o.Seed, "seed", 1001, "of what is made; below 1000 are those that thresholds were found with")
	f.StringVar(&o.Models, "models", "data/models", "folder of models")
	asJSON := f.Bool("json", false, "print JSON")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	for kind := range strings.SplitSeq(*kinds, ",") {
		if kind = strings.TrimSpace(kind); kind == "" {
			continue
		}
		if !slices.Contains(sounds.Kinds, kind) {
			return fmt.Errorf("eval audio: --kinds: %q is none of %s", kind, strings.Join(sounds.Kinds, ", "))
		}
		o.Kinds = append(o.Kinds, kind)
	}
	if o.Cases < 1 || o.Spoken < 1 || o.Voices < 0 {
		return errors.New("eval audio: --cases and --spoken must be positive, --voices not negative")
	}
	r, err := Audio(ctx, o)
	if err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	if *asJSON {
		text, err := json.MarshalIndent(r, "", " ")
		if err == nil {
			_, err = stdout.Write(append(text, '\n'))
		}
		return err
	}
	return r.print(stdout)
}

// Audio makes sounds with known faults and counts which the meter finds.
func Audio(ctx context.Context, o AudioOptions) (*AudioReport, error) {
	talk, voices := talker(ctx)
	r := &AudioReport{Voices: voices, Spoken: o.Spoken, By: map[string]int{}}
	ear := &ear{cfg: acoustic.Defaults()}
	if model, err := openVAD(o.Models); err == nil {
		defer func() { _ = model.Close() }() // nothing is written
		ear.vad, r.VAD = model, true
	}
	r.Goals = true
	for i, kind := range sounds.Kinds {
		if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, kind) {
			continue
		}
		found, err := ear.finds(ctx, o, i, kind, talk)
		if err != nil {
			return nil, err
		}
		r.Goals = r.Goals && float64(found.Found) >= audioRecall*float64(found.Cases)
		r.Kinds = append(r.Kinds, found)
	}
	if err := ear.spoken(ctx, o, r, talk); err != nil {
		return nil, err
	}
	r.Goals = r.Goals && float64(r.Flagged) <= audioFalse*float64(r.Spoken)
	have := synthesisers()
	model, err := openSpeaker(o.Models)
	if err != nil || !slices.Contains(have, espeak) || o.Voices < 2 {
		return r, nil // without the model, or voices, nothing is said of them
	}
	defer func() { _ = model.Close() }() // nothing is written
	r.Told, err = tellVoices(ctx, o, model, have)
	return r, err
}

// finds counts in how many cases of a kind it is found.
func (e *ear) finds(ctx context.Context, o AudioOptions, i int, kind string, talk sounds.Talk) (SoundFound, error) {
	found := SoundFound{Kind: kind, Cases: o.Cases, Missed: map[string]int{}, Also: map[string]int{}}
	for n := range o.Cases {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		c := sounds.Faulty(random(o.Seed, i+1, n), kind, talk)
		kinds, err := e.hear(&c)
		if err != nil {
			return found, err
		}
		switch {
		case kinds[kind]:
			found.Found++
		case c.What != "":
			found.Missed[c.What]++
		}
		for k := range kinds {
			if k != kind {
				found.Also[k]++
			}
		}
	}
	return found, nil
}

// spoken counts what is found in speech alone.
func (e *ear) spoken(ctx context.Context, o AudioOptions, r *AudioReport, talk sounds.Talk) error {
	for n := range o.Spoken {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := sounds.Spoken(random(o.Seed, 0, n), talk)
		kinds, err := e.hear(&c)
		if err != nil {
			return err
		}
		for k := range kinds {
			r.By[k]++
		}
		if len(kinds) > 0 {
			r.Flagged++
		}
	}
	return nil
}

// random is a source for one case, whatever others are made.
func random(seed uint64, kind, n int) *rand.Rand {
	return sounds.Rand(seed<<32 + uint64(kind)<<24 + uint64(n)) //nolint:gosec // neither is negative
}

func openVAD(folder string) (*vad.Model, error) {
	if err := startNetworks(folder); err != nil {
		return nil, err
	}
	return vad.Open(folder)
}

// startNetworks loads the library that runs networks.
func startNetworks(folder string) error {
	if folder == "" {
		return errors.New("no models")
	}
	lib, err := onnx.Find(folder)
	if err != nil {
		return err
	}
	return onnx.Start(lib)
}

// ear hears cases as a gateway does.
type ear struct {
	vad  *vad.Model
	cfg  acoustic.Config
	list []engines.Anomaly
}

// hear gives the kinds of what was found where it is: near the fault, or anywhere for
// another kind.
func (e *ear) hear(c *sounds.Case) (map[string]bool, error) {
	const step = sounds.Rate / 50
	m := acoustic.New(e.cfg)
	var stream *vad.Stream
	if e.vad != nil {
		stream = e.vad.New()
	}
	other, heard := acoustic.New(acoustic.Defaults()), &acoustic.Trace{}
	for at, n := 0, 0; at+step <= len(c.PCM); at, n = at+step, n+1 {
		pcm := c.PCM[at : at+step]
		m.Push(pcm)
		if stream != nil {
			if err := stream.Push(pcm, m.Speech); err != nil {
				return nil, err
			}
		}
		if c.Other != nil {
			other.Push(c.Other[at : at+step])
			if n%50 == 49 {
				other.Leave(heard)
				m.Echo([]acoustic.Other{{Trace: heard}})
			}
		}
	}
	m.End()
	e.list = m.Drain(e.list[:0])
	kinds := map[string]bool{}
	for _, a := range e.list {
		if a.Kind != c.Kind || a.FromMS < c.ToMS+1000 && a.ToMS > c.FromMS {
			kinds[a.Kind] = true
		}
	}
	return kinds, nil
}

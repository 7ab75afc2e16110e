package eval

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/audio/resample"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// talker gives speech by the synthesisers of the system, espeak-ng and flite, where they
// are installed, else babble; and says which.
func talker(ctx context.Context) (talk sounds.Talk, what string) {
	var have []string
	for _, name := range []string{"espeak-ng", "flite"} {
		if _, err := exec.LookPath(name); err == nil {
			have = append(have, name)
		}
	}
	if have == nil {
		return sounds.Made, "babble (neither espeak-ng nor flite is installed)"
	}
	return func(r *rand.Rand, seconds float64) []float32 {
		out := make([]float32, 0, int((seconds+8)*sounds.Rate))
		speaker, next := speakerOf(r, have), sentences(r)
		for len(out) < int(seconds*sounds.Rate) {
			pcm, err := speaker(ctx, next())
			if err != nil || len(pcm) == 0 {
				return sounds.Made(r, seconds) // the synthesiser has no such voice
			}
			out = append(out, pcm...)
			out = append(out, sounds.Silence(0.1+0.6*r.Float64())...)
		}
		return out[:int(seconds*sounds.Rate)]
	}, strings.Join(have, " and ")
}

// speakerOf draws a voice: who, how high, how fast.
func speakerOf(r *rand.Rand, have []string) func(context.Context, string) ([]float32, error) {
	if have[r.IntN(len(have))] == "flite" {
		voice := []string{"kal16", "awb", "rms", "slt"}[r.IntN(4)]
		stretch := strconv.FormatFloat(0.8+0.5*r.Float64(), 'f', 2, 64)
		return func(ctx context.Context, text string) ([]float32, error) {
			return synthesise(ctx, "flite", "-voice", voice, "--setf", "duration_stretch="+stretch, "-t", text, "/dev/stdout")
		}
	}
	accents := []string{"en-gb", "en-us", "en-gb-scotland", "en-029", "de", "fr", "es", "it", "nl", "pl"}
	voice := accents[r.IntN(len(accents))] + "+" + []string{"m1", "m2", "m3", "m5", "m7", "f1", "f2", "f3", "f4", "f5"}[r.IntN(10)]
	pitch, speed := strconv.Itoa(20+r.IntN(65)), strconv.Itoa(120+r.IntN(90))
	return func(ctx context.Context, text string) ([]float32, error) {
		return synthesise(ctx, "espeak-ng", "-v", voice, "-p", pitch, "-s", speed, "--stdout", text)
	}
}

// synthesise runs a program that writes a WAV file of 16 bit and brings it to 16 kHz.
func synthesise(ctx context.Context, name string, args ...string) ([]float32, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output() //nolint:gosec // names and numbers of our own
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	const head = 44
	if len(out) < head || string(out[:4]) != "RIFF" || string(out[36:40]) != "data" {
		return nil, errors.New(name + ": no WAV file came")
	}
	pcm := make([]float32, (len(out)-head)/2)
	for i := range pcm {
		pcm[i] = float32(int16(binary.LittleEndian.Uint16(out[head+2*i:]))) / 32768 //nolint:gosec // its two's complement
	}
	rate := int(binary.LittleEndian.Uint32(out[24:]))
	if rate < resample.MinRate || rate > resample.MaxRate {
		return nil, fmt.Errorf("%s: a rate of %d Hz", name, rate)
	}
	rs := resample.New(rate, sounds.Rate)
	return rs.Flush(rs.Push(nil, pcm)), nil
}

// parts are what sentences of a game are made of.
var parts = [...][]string{
	{"I think we", "You two", "Our healer", "The other team", "Someone", "My brother", "That archer", "Everybody here", "The new player", "Nobody"},
	{"should wait near", "is going around", "found the key to", "wants to trade at", "left a chest behind", "can hold", "was hiding under", "keeps running into", "built one wall across", "needs two minutes for"},
	{"the old bridge", "their northern gate", "that ruined tower", "camp number two", "every river", "our base", "this market square", "some mine shaft", "a frozen lake", "her harbour"},
	{"before bosses wake up", "and we have no potions left", "so please stay close", "because it is closing", "if you still own arrows", "while I repair my cart", "then split all loot", "or at least such is life", "and that went really well", "until timers end"},
}

// sentences gives what is said in a game, drawn part by part. A synthesiser says the
// same words the same way to the bit, which nobody does; so no part comes again until
// all others came.
func sentences(r *rand.Rand) func() string {
	var order [len(parts)][]int
	n := 0
	return func() string {
		said := make([]string, len(parts))
		for i, of := range parts {
			if n%len(of) == 0 {
				order[i] = r.Perm(len(of))
			}
			said[i] = of[order[i][n%len(of)]]
		}
		n++
		return strings.Join(said, " ") + "."
	}
}

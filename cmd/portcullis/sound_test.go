package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// saidIn adds the words of a text that begins at a time, in ms, to a transcript, three to a
// second.
func saidIn(facts *engines.MediaFacts, text string, at int64, doubted bool) {
	facts.Speech = append(facts.Speech, engines.Stretch{FromMS: at, ToMS: at + 300*int64(len(strings.Fields(text)))})
	for word := range strings.FieldsSeq(text) {
		facts.Transcript = append(facts.Transcript, engines.Spoken{Text: word, FromMS: at, ToMS: at + 300, Confidence: 0.95, Doubted: doubted})
		at += 300
	}
	facts.Unreliable = facts.Unreliable || doubted
}

// soundOf makes a WAV file: silence, a soft murmur of noise, a loud tone, one that lasts
// 20 minutes, one without a rate, one whose data is cut off. Findings are as toldEngine
// has them.
func soundOf(kind string, findings ...string) ([]byte, error) {
	rate, seconds := 16000, 3
	sample := func(int) float64 { return 0 }
	rng := rand.New(rand.NewPCG(1, 1))
	switch kind {
	case "silence":
	case "murmur":
		sample = func(int) float64 { return 0.001 * rng.NormFloat64() }
	case "tone":
		sample = func(i int) float64 { return 0.9 * math.Sin(2*math.Pi*1000*float64(i)/float64(rate)) }
	case "long":
		rate, seconds = 2000, 1200
	case "rateless", "cut":
	default:
		return nil, fmt.Errorf("no kind of sound: %s", kind)
	}
	var told []byte
	for _, f := range findings {
		told = append(told, "tEXt"+toldPrefix+f+"\n"...)
	}
	if len(told)%2 == 1 {
		told = append(told, '\n')
	}
	le := binary.LittleEndian
	var data []byte
	for i := range rate * seconds {
		data = le.AppendUint16(data, uint16(int16(sample(i)*math.MaxInt16)))
	}
	said := rate
	if kind == "rateless" {
		said = 0
	}
	b := append([]byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"), le.AppendUint32(le.AppendUint32(nil, uint32(said)), uint32(2*said))...)
	b = append(b, 2, 0, 16, 0)
	b = append(append(append(b, "note"...), le.AppendUint32(nil, uint32(len(told)))...), told...)
	b = append(append(append(b, "data"...), le.AppendUint32(nil, uint32(len(data)))...), data...)
	le.PutUint32(b[4:], uint32(len(b)-8))
	if kind == "cut" {
		b = b[:40+len(told)]
	}
	return b, nil
}

// sound makes a file: sound FILE KIND [FINDING…].
func (s *script) sound(args []string) error {
	b, err := soundOf(arg(args, 1), args[min(2, len(args)):]...)
	return errors.Join(err, os.WriteFile(s.ts.MkAbs(arg(args, 0)), b, 0o600))
}

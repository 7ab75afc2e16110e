package eval

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/decode"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

const wordsUsage = `Usage: portcullis eval audio --words DIR [flags]

Has the recordings of a folder written down and says how many words come out wrong: beside
each NAME.wav (or .mp3, .flac, .opus) lies NAME.txt with what is said in it. What follows
the first "-" in a NAME is the voice, by which the answer is divided. Written by hand, marks
and capitals don't count; languages without spaces between words are counted by letters.
No data leaves the machine.

`

// wordsOptions are the flags of `portcullis eval audio --words`.
type wordsOptions struct {
	dir, language, model string
	noise                float64
	partial, wrong       bool
}

// Recognisers opens what a gateway writes speech down with: a model by its name, or what
// the configuration has for a language where the name is "".
type Recognisers func(model, language string) (speech.Recogniser, error)

// Words is `portcullis eval audio --words`.
func Words(ctx context.Context, open Recognisers, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("eval audio", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, wordsUsage); f.PrintDefaults() }
	var o wordsOptions
	f.StringVar(&o.dir, "words", "", "the `folder`")
	f.StringVar(&o.language, "language", "", "the language that is known to be spoken; \"\" has it found out")
	f.StringVar(&o.model, "model", "", "an id of portcullis models list, or a folder below the models; \"\" is what a gateway has for the language")
	f.Float64Var(&o.noise, "noise", math.Inf(1), "adds noise with the spectrum of a fan or the wind, that many dB below the voice")
	f.BoolVar(&o.partial, "partial", false, "as a window of speech that goes on is looked at")
	f.BoolVar(&o.wrong, "wrong", false, "print what came out otherwise")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	r, err := open(o.model, o.language)
	if err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	// The first time has a model loaded, which is not to be measured.
	if _, err := r.Recognise(ctx, make([]float32, engines.SoundRate), speech.Options{Language: o.language, Partial: o.partial}); err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	run := wordsRun{o: o, r: r, by: map[string]*wordsTally{}, out: stdout}
	if err := run.folder(ctx); err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	if len(run.by) == 0 {
		return fmt.Errorf("eval audio: %s has no recordings with a .txt beside", o.dir)
	}
	return run.print()
}

// wordsTally is what came of one voice.
type wordsTally struct {
	files, words, wrong int
	unsure              int // files that the gate does not go by
	sound, took         time.Duration
}

type wordsRun struct {
	o   wordsOptions
	r   speech.Recogniser
	by  map[string]*wordsTally
	out io.Writer
}

func (w *wordsRun) folder(ctx context.Context) error {
	return filepath.WalkDir(w.o.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".txt" {
			return err
		}
		base := strings.TrimSuffix(path, filepath.Ext(path))
		text, err := os.ReadFile(base + ".txt") //nolint:gosec // the folder that was named
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err //nolint:wrapcheck // it names the file
		}
		return w.one(ctx, path, string(text))
	})
}

func (w *wordsRun) one(ctx context.Context, path, said string) error {
	pcm, err := recording(ctx, path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	windy(pcm, w.o.noise)
	start := time.Now()
	got, err := w.r.Recognise(ctx, pcm, speech.Options{Language: w.o.language, Partial: w.o.partial})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	took := time.Since(start)
	sound := time.Duration(len(pcm)) * time.Second / engines.SoundRate
	want, have := spokenUnits(said), spokenUnits(got.Text)
	wrong := distance(want, have)
	if w.o.wrong && wrong > 0 {
		_, _ = fmt.Fprintf(w.out, "%s\n  said  %s\n  wrote %s\n", filepath.Base(path), strings.TrimSpace(said), got.Text)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	_, voice, _ := strings.Cut(name, "-")
	gate := speech.DefaultGate()
	for _, key := range []string{voice, "all"} {
		t := w.by[key]
		if t == nil {
			t = &wordsTally{}
			w.by[key] = t
		}
		t.files, t.words, t.wrong, t.sound, t.took = t.files+1, t.words+len(want), t.wrong+wrong, t.sound+sound, t.took+took
		if gate.Judge(&got, sound.Milliseconds()) != "" {
			t.unsure++
		}
	}
	return nil
}

// recording is a file's sound.
func recording(ctx context.Context, path string) ([]float32, error) {
	b, err := os.ReadFile(path) //nolint:gosec // the folder that was named
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	return decoded(ctx, b)
}

// decoded is the sound of a file.
func decoded(ctx context.Context, b []byte) ([]float32, error) {
	f, err := decode.Read(b, "", decode.Default())
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what is wrong
	}
	var pcm []float32
	err = f.Unpack(ctx, func(block []float32) error {
		pcm = append(pcm, block...)
		return nil
	})
	return pcm, err //nolint:wrapcheck // as above
}

// windy adds noise that falls with frequency (white noise through a leaky sum), the same
// for the same length, that many dB below the voice.
func windy(pcm []float32, dB float64) {
	if math.IsInf(dB, 1) || len(pcm) == 0 {
		return
	}
	rng := rand.New(rand.NewPCG(7, uint64(len(pcm)))) //nolint:gosec // noise
	noise, last, power, voice := make([]float64, len(pcm)), 0.0, 0.0, 0.0
	for i, v := range pcm {
		last = 0.9*last + rng.NormFloat64()
		noise[i] = last
		power += last * last
		voice += float64(v) * float64(v)
	}
	gain := math.Sqrt(voice / power * math.Pow(10, -dB/10))
	for i := range pcm {
		pcm[i] += float32(gain * noise[i])
	}
}

func (w *wordsRun) print() error {
	var voices []string
	for v := range w.by {
		if v != "all" {
			voices = append(voices, v)
		}
	}
	sort.Strings(voices)
	if _, err := fmt.Fprintf(w.out, "%-24s %6s %7s %7s %8s %7s %9s\n", "voice", "files", "words", "wrong", "WER", "unsure", "ms/s"); err != nil {
		return err //nolint:wrapcheck // of the output
	}
	for _, v := range append(voices, "all") {
		t := w.by[v]
		_, err := fmt.Fprintf(w.out, "%-24s %6d %7d %7d %7.1f%% %7d %9.1f\n", v, t.files, t.words, t.wrong, 100*float64(t.wrong)/float64(max(1, t.words)),
			t.unsure, t.took.Seconds()*1000/max(t.sound.Seconds(), 1e-9))
		if err != nil {
			return err //nolint:wrapcheck // of the output
		}
	}
	return nil
}

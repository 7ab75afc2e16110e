package eval

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/audio/speaker"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

const linkedUsage = `Usage: portcullis eval audio --linked [flags]

Has voices say enough to be kept, and enough again in another session, both as they come
out of Opus, and says how often another's voice is taken for one that is kept, and how often
the same voice is not: what banned_voices of a policy does. Needs opusenc and the model of
voices, and espeak-ng or a folder of recordings. No data leaves the machine.

`

// linkedOptions are the flags of `portcullis eval audio --linked`.
type linkedOptions struct {
	recordings, models string
	voices             int
	noise              float64
	seed               uint64
	part               string
}

// linkedMain is `portcullis eval audio --linked`.
func linkedMain(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := linkedOptions{}
	f := flag.NewFlagSet("eval audio", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, linkedUsage); f.PrintDefaults() }
	_ = f.Bool("linked", true, "measure how voices are known again in another session")
	f.StringVar(&o.recordings, "recordings", "", "a `folder` with a folder of sound files for each person; \"\" has voices of synthesisers")
	f.IntVar(&o.voices, "voices", 80, "of synthesisers")
	f.Float64Var(&o.noise, "noise", 20, "adds noise to the second session, that many dB below the voice")
	f.StringVar(&o.part, "part", "held-out", "of the voices: held-out, tuned-on (where the threshold was chosen) or all")
	f.Uint64Var(&o.seed, "seed", 1001, "of what is drawn")
	f.StringVar(&o.models, "models", "data/models", "folder of models")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	parts := []string{"held-out", "tuned-on", "all"}
	if o.voices < 4 || !slices.Contains(parts, o.part) {
		return errors.New("eval audio: --voices must be at least 4, --part held-out, tuned-on or all")
	}
	if err := startNetworks(o.models); err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	model, err := openSpeaker(o.models)
	if err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	defer func() { _ = model.Close() }() // nothing is written
	m := linkedMeasure{o: o, model: model}
	if err = m.listen(ctx); err == nil {
		err = m.print(stdout)
	}
	if err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	return nil
}

// linkedMeasure has the two sessions of each voice.
type linkedMeasure struct {
	o      linkedOptions
	model  *speaker.Model
	kept   []speaker.Voice
	heard  []speaker.Voice
	people int // of whom there was too little
}

// next gives what a voice says, a stretch at a time; io.EOF: it has said all.
type next func(ctx context.Context) ([]float32, error)

func (m *linkedMeasure) listen(ctx context.Context) error {
	all, err := m.voices()
	if err != nil {
		return err
	}
	for n, says := range all {
		if m.o.part != "all" && (n%2 == 0) != (m.o.part == "tuned-on") {
			continue
		}
		var two [2]speaker.Voice
		for session := range two {
			if err = m.session(ctx, says, session == 1, &two[session]); err != nil {
				break
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			m.people++
		case err != nil:
			return err
		default:
			m.kept, m.heard = append(m.kept, two[0]), append(m.heard, two[1])
		}
	}
	return nil
}

// session has a voice say enough.
func (m *linkedMeasure) session(ctx context.Context, says next, noisy bool, out *speaker.Voice) error {
	const most = 3 * sounds.Rate // as much of a window as a gateway looks at
	var p speaker.Print
	for !p.Enough() {
		pcm, err := says(ctx)
		if err != nil {
			return err
		}
		sounds.SpokenAt(pcm, -22)
		if noisy {
			windy(pcm, m.o.noise)
		}
		if pcm, err = m.sent(ctx, pcm); err != nil {
			return err
		}
		pcm = pcm[:min(len(pcm), most)]
		v, err := m.model.Embed(pcm)
		if errors.Is(err, speaker.ErrShort) {
			continue
		}
		if err != nil {
			return err //nolint:wrapcheck // it names itself
		}
		p.Add(&v, int64(len(pcm))*1000/sounds.Rate)
	}
	*out = p.Mean()
	return nil
}

// sent is a sound as it comes out of a call.
func (m *linkedMeasure) sent(ctx context.Context, pcm []float32) ([]float32, error) {
	file, err := encode(ctx, pcm, false, 0)
	if err != nil {
		return nil, err
	}
	return decoded(ctx, file)
}

// voices are those that are measured, in an order of their own.
func (m *linkedMeasure) voices() (all []next, err error) {
	if m.o.recordings == "" {
		have := synthesisers()
		if !slices.Contains(have, espeak) {
			return nil, errors.New("espeak-ng is not installed")
		}
		for n := range m.o.voices {
			all = append(all, voiceAt(random(m.o.seed, 40, n), n, have))
		}
		return all, nil
	}
	people, err := os.ReadDir(m.o.recordings)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the folder
	}
	for _, of := range people {
		files, err := filepath.Glob(filepath.Join(m.o.recordings, of.Name(), "*"))
		if err != nil {
			return nil, err //nolint:wrapcheck // it names the pattern
		}
		all = append(all, recorded(random(m.o.seed, 41, len(all)).Perm(len(files)), files))
	}
	return all, nil
}

// recorded gives a person's files, each once.
func recorded(order []int, files []string) next {
	return func(ctx context.Context) ([]float32, error) {
		if len(order) == 0 {
			return nil, io.EOF
		}
		file := files[order[0]]
		order = order[1:]
		return recording(ctx, file)
	}
}

// linkedAt are the thresholds that are told besides the one that holds.
var linkedAt = []float64{0.80, 0.84, 0.86, 0.88, 0.90, 0.92, 0.94, 0.96}

func (m *linkedMeasure) print(w io.Writer) error {
	n := len(m.kept)
	if n < 2 {
		return errors.New("fewer than two voices said enough")
	}
	var same, other []float64
	for i := range m.kept {
		for k := range m.heard {
			if c := speaker.Cosine(&m.kept[i], &m.heard[k]); i == k {
				same = append(same, c)
			} else {
				other = append(other, c)
			}
		}
	}
	eer, at := equalError(slices.Clone(same), slices.Clone(other))
	var b strings.Builder
	fmt.Fprintf(&b, "%d voices (%s; %d said too little), each in two sessions, the second with noise %v dB below (+Inf: none): equal error rate %.1f %% at %.3f\n", n, m.o.part, m.people, m.o.noise, 100*eer, at)
	thresholds := slices.Sorted(slices.Values(append(slices.Clone(linkedAt), speaker.LinkedCosine)))
	for _, t := range thresholds {
		taken, missed := above(other, t), len(same)-above(same, t)
		low, high := Wilson(taken, len(other))
		holds := ""
		if t == speaker.LinkedCosine {
			holds = "  <- holds"
		}
		fmt.Fprintf(&b, "above %.3f: %4d of %5d pairs of two voices taken for one (%.2f %%, 95 %%: %.2f to %.2f); %3d of %3d voices not known again (%.0f %%)%s\n",
			t, taken, len(other), 100*float64(taken)/float64(len(other)), 100*low, 100*high, missed, len(same), 100*float64(missed)/float64(len(same)), holds)
	}
	_, err := io.WriteString(w, b.String())
	return err //nolint:wrapcheck // of the output
}

// above counts the cosines above a threshold.
func above(list []float64, t float64) (n int) {
	for _, c := range list {
		if c > t {
			n++
		}
	}
	return n
}

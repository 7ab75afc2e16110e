package eval

import (
	"bufio"
	"context"
	_ "embed" // the list
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

const phrasesUsage = `Usage: portcullis eval audio --phrases [flags]

Has voices of synthesisers say the phrases of a block list within sentences, as calls that
come through Opus, and says how many are found while they are said or at the end; then has
them say sentences of a game without any, and counts what is found. Needs opusenc and at
least one of espeak-ng, flite and festival. No data leaves the machine.

`

// phrasesOptions are the flags of `portcullis eval audio --phrases`.
type phrasesOptions struct {
	file, voices string
	noise, loss  float64
	minutes      float64
	seed         uint64
	each         int
	missed, fec  bool
	near         bool
}

// Hearing is what the phrases are looked for with: the engine for sound of a gateway, and
// what cuts a call's packets into the windows that go to it.
type Hearing struct {
	Engine engines.Engine
	// Opus takes the packets out of an Ogg/Opus file.
	Opus func(file []byte) ([][]byte, error)
	// Replay gives the windows of a call; a nil packet was lost.
	Replay func(packets [][]byte, each func(*engines.Sound) error) error
}

//go:embed phrases.txt
var somePhrases string

// heldOut are voices that nothing was tuned on, tunedOn the others.
var (
	heldOut = []string{"flite:slt", "festival:cmu_us_slt_arctic_hts", "festival:ked_diphone", "espeak-ng:en-us+m7", "espeak-ng:en-gb-scotland+f2", "espeak-ng:en-029+m1", "espeak-ng:en-gb+m5", "espeak-ng:en-us+f4"}
	tunedOn = []string{"flite:awb", "flite:rms", "flite:kal16", "espeak-ng:en-us", "espeak-ng:en-gb+f3"}
)

// Phrases is `portcullis eval audio --phrases`.
func Phrases(ctx context.Context, open func() (*Hearing, error), args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("eval audio", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, phrasesUsage); f.PrintDefaults() }
	var o phrasesOptions
	_ = f.Bool("phrases", true, "measure phrases of a block list")
	f.StringVar(&o.file, "list", "", "a `file` with a phrase a line; \"\" has some of our own")
	f.StringVar(&o.voices, "voices", "held-out", "held-out, tuned-on, or voices such as flite:slt,espeak-ng:en-us+f4,festival:ked_diphone")
	f.Float64Var(&o.noise, "noise", math.Inf(1), "adds noise with the spectrum of a fan or the wind, that many dB below the voice")
	f.Float64Var(&o.loss, "loss", 0, "share of the packets that is lost, 0 to 0.5")
	f.BoolVar(&o.fec, "fec", true, "where packets are lost, the client was told of it by reports, and puts each into the next once more")
	f.Float64Var(&o.minutes, "minutes", 0, "of ordinary speech in which nothing should be found")
	f.BoolVar(&o.near, "near", true, "by turns with ordinary speech, sentences that sound like phrases of the built-in list of phrases are said, which are counted by themselves")
	f.IntVar(&o.each, "each", 1, "of how many phrases one is said; 3 is quicker")
	f.Uint64Var(&o.seed, "seed", 1001, "of what is drawn")
	f.BoolVar(&o.missed, "missed", false, "print what was missed, and what was found in ordinary speech")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	if o.loss < 0 || o.loss > 0.5 || o.minutes < 0 || o.each < 1 {
		return errors.New("eval audio: --loss must be 0 to 0.5, --minutes not negative, --each positive")
	}
	hearing, err := open()
	if err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	run := phrasesRun{o: o, hearing: hearing, out: stdout}
	if err := run.all(ctx); err != nil {
		return fmt.Errorf("eval audio: %w", err)
	}
	return nil
}

// phrasesRun is one run.
type phrasesRun struct {
	o       phrasesOptions
	hearing *Hearing
	words   *blockList
	out     io.Writer
}

// blockList is an operator's list of phrases as engines are given it.
type blockList struct {
	matcher *text.WordMatcher
	phrases []string
}

func newBlockList(list []string) (*blockList, error) {
	words := make([]engines.Word, len(list))
	for i, p := range list {
		words[i] = engines.Word{Term: p, Match: "phrase"}
	}
	m, err := text.CompileWords(words)
	return &blockList{m, list}, err
}

// Hits is that of engines.Words.
func (b *blockList) Hits(item *engines.Item, out []engines.WordHit) []engines.WordHit {
	for _, f := range b.matcher.Find(item, nil) {
		out = append(out, engines.WordHit{Span: f.Span, Rank: 1, Signal: engines.Signal{
			Category: engines.Harassment, Severity: 3, Confidence: 0.99, Source: engines.SourceCustomList, Rule: b.phrases[f.Word], Span: f.Span,
		}})
	}
	return out
}

// Terms is that of engines.Terms.
func (b *blockList) Terms(*engines.Item) []string { return b.phrases }

func (r *phrasesRun) all(ctx context.Context) error {
	list, err := r.list()
	if err != nil {
		return err
	}
	if r.words, err = newBlockList(list); err != nil {
		return err
	}
	voices := heldOut
	switch r.o.voices {
	case "held-out":
	case "tuned-on":
		voices = tunedOn
	default:
		voices = strings.Split(r.o.voices, ",")
	}
	total := spotted{}
	for i, name := range voices {
		voice, err := voiceNamed(name)
		if err != nil {
			return err
		}
		var t spotted
		for k := i % r.o.each; k < len(list); k += r.o.each {
			if err := r.phrase(ctx, &t, voice, name, list[k], i*len(list)+k); err != nil {
				return err
			}
		}
		if err := r.ordinary(ctx, &t, voice, name, i, r.o.minutes/float64(len(voices))); err != nil {
			return err
		}
		if err := t.print(r.out, name); err != nil {
			return err
		}
		total.add(&t)
	}
	return total.print(r.out, "all")
}

func (r *phrasesRun) list() ([]string, error) {
	content := somePhrases
	if r.o.file != "" {
		b, err := os.ReadFile(r.o.file)
		if err != nil {
			return nil, err //nolint:wrapcheck // it names the file
		}
		content = string(b)
	}
	var list []string
	lines := bufio.NewScanner(strings.NewReader(content))
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the list has no phrases")
	}
	return list, nil
}

// carriers are what phrases are said within.
var carriers = []string{"%s", "hey, %s", "I told you before, %s", "%s, all of you", "what is this, %s", "oh come on, %s", "%s, I mean it"}

// phrase has a phrase said and looked for.
func (r *phrasesRun) phrase(ctx context.Context, t *spotted, voice says, name, phrase string, n int) error {
	said := fmt.Sprintf(carriers[n%len(carriers)], phrase)
	found, wrote, _, err := r.say(ctx, voice, said, n)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	t.said++
	if slices.Contains(found, phrase) {
		t.found++
		return nil
	}
	if r.o.missed {
		_, err = fmt.Fprintf(r.out, "%s: %q came out as %q\n", name, said, wrote)
	}
	return err //nolint:wrapcheck // of the output
}

// ordinary has sentences said that have none of the phrases.
func (r *phrasesRun) ordinary(ctx context.Context, t *spotted, voice says, name string, n int, minutes float64) error {
	next := ordinary(random(r.o.seed, 30, n), slices.Contains(tunedOn, name), r.o.near)
	for k := 0; t.spoken.Minutes() < minutes; k++ {
		said, like := next()
		found, wrote, took, err := r.say(ctx, voice, said, 1_000_000+1000*n+k)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		found = slices.Compact(slices.Sorted(slices.Values(found)))
		if like {
			t.near++
			t.mistaken += min(1, len(found))
		} else {
			t.spoken += took
			t.alarms += len(found)
		}
		if r.o.missed && len(found) > 0 {
			if _, err := fmt.Fprintf(r.out, "%s: in %q: %q (%q)\n", name, said, found, wrote); err != nil {
				return err //nolint:wrapcheck // of the output
			}
		}
	}
	return nil
}

// say has a text said in a call, and gives the phrases that were found, what was written
// last, and how long it took to say.
func (r *phrasesRun) say(ctx context.Context, voice says, said string, n int) (found []string, wrote string, took time.Duration, err error) {
	pcm, err := voice(ctx, said)
	if err != nil {
		return nil, "", 0, err
	}
	took = time.Duration(len(pcm)) * time.Second / sounds.Rate
	sounds.SpokenAt(pcm, -22)
	pcm = append(append(sounds.Silence(0.6), pcm...), sounds.Silence(1)...)
	windy(pcm, r.o.noise)
	file, err := encode(ctx, pcm, r.o.loss > 0 && r.o.fec, r.o.loss)
	if err != nil {
		return nil, "", 0, err
	}
	packets, err := r.hearing.Opus(file)
	if err != nil {
		return nil, "", 0, err
	}
	lose(packets, r.o.loss, random(r.o.seed, 31, n%(1<<24)))
	player := engines.PlayerID(strconv.Itoa(n))
	err = r.hearing.Replay(packets, func(s *engines.Sound) error {
		item := &engines.Item{Kind: engines.KindAudio, Live: true, Player: player, Language: "en", Words: r.words, Media: &engines.Media{Use: engines.UseVoice, Sound: s}}
		signals, err := r.hearing.Engine.Inspect(ctx, item, nil)
		for i := range signals {
			if g := &signals[i]; g.Source == engines.SourceCustomList && g.Confidence >= 0.5 {
				found = append(found, g.Rule)
			}
		}
		if !s.Partial {
			wrote += written(item.Media.Facts())
		}
		return err
	})
	return found, wrote, took, err
}

// written is what was written down of a window; what is not gone by stands in brackets.
func written(f *engines.MediaFacts) string {
	var b strings.Builder
	for _, w := range f.Transcript {
		if w.Doubted {
			b.WriteString(" [" + w.Text + "]")
		} else {
			b.WriteString(" " + w.Text)
		}
	}
	return b.String()
}

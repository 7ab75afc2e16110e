package bench

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/stage"
	"github.com/portcullis-gg/portcullis/internal/eval"
	"github.com/portcullis-gg/portcullis/internal/resident"
)

// textBench measures the engine and the policy in this process.
func textBench(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parseTextOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as serve does with so little alive
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))   // one core, collecting garbage included
	var second text.Second
	readers, err := o.second(stderr)
	if err != nil {
		return err
	}
	if readers != nil {
		second = readers.Stage()
		defer func() { err = errors.Join(err, readers.Close()) }()
	}
	b, err := newTextBench(second) //nolint:contextcheck // the lists test themselves, which is short
	if err != nil {
		return err
	}
	b.readers = readers
	resident.Rest() // as serve does
	var report *TextReport
	err = profiled(o.profile, func() (err error) {
		report, err = b.measure(ctx, o)
		return err
	})
	if err != nil {
		return fmt.Errorf("bench text: %w", err)
	}
	if o.goals {
		report.Goals = textGoals(report)
	}
	return errors.Join(report.print(stdout, o.asJSON), report.missed())
}

// textInspector asks as a gateway does: the engine, then the policy.
type textInspector struct {
	engine  *text.Engine
	rules   *policy.Resolved
	signals []engines.Signal
	// sink keeps verdicts alive, so that no call is optimised away.
	sink engines.Verdict
	// readers are the second stage, nil for none.
	readers *stage.Readers
}

func newTextBench(second text.Second) (*textInspector, error) {
	engine, err := text.New(text.Config{Second: second})
	if err != nil {
		return nil, fmt.Errorf("bench text: %w", err)
	}
	set, err := policy.Compile(policy.Config{}, nil, policy.Words{})
	if err != nil {
		return nil, fmt.Errorf("bench text: %w", err)
	}
	debug.FreeOSMemory() // what loading left, as the gateway does after its start
	return &textInspector{engine: engine, rules: set.Resolve(&engines.Item{}, time.Time{})}, nil
}

func (b *textInspector) ask(ctx context.Context, item *engines.Item) (err error) {
	b.signals, err = b.engine.Inspect(ctx, item, b.signals[:0])
	b.sink = policy.Decide(item, b.signals, nil, engines.Standing{}, b.rules)
	return err
}

func (b *textInspector) measure(ctx context.Context, o *textOptions) (r *TextReport, err error) {
	r = &TextReport{}
	alone := *b
	alone.engine = b.engine.Alone()
	if r.Chat, err = alone.set(ctx, chatLines(), o.duration, true); err != nil {
		return nil, err
	}
	if b.readers != nil {
		if r.ChatRead, err = b.set(ctx, chatLines(), o.duration, true); err != nil {
			return nil, err
		}
	}
	if r.Disguised, err = b.set(ctx, disguisedLines(), o.duration, true); err != nil {
		return nil, err
	}
	for _, in := range longInputs() {
		l, err := b.long(ctx, in)
		if err != nil {
			return nil, err
		}
		r.Long = append(r.Long, l)
	}
	if err = b.repeats(ctx, r, int(o.duration/repeatEach)); err != nil {
		return nil, err
	}
	if b.readers != nil {
		if r.Meaning, err = b.reading(ctx, b.readers, o.duration); err != nil {
			return nil, err
		}
	}
	resident.Rest() // as a gateway does that rests: what the start and the long texts left is nobody's
	if r.Resident, err = residentBytes(os.Getpid()); err != nil {
		return nil, err
	}
	if len(o.data) == 0 {
		return r, nil
	}
	rows, err := eval.Read(ctx, o.data, eval.Filter{Split: o.split, Limit: o.limit, Seed: 1})
	if err != nil {
		return nil, err
	}
	lines := make([]textLine, len(rows))
	for i := range rows {
		lines[i] = textLine{rows[i].Lang, rows[i].Text}
	}
	r.Data, err = b.set(ctx, lines, o.duration, false)
	return r, err
}

func textItem(l textLine) engines.Item {
	return engines.Item{Kind: engines.KindText, Text: l.text, Language: l.lang}
}

// set asks for all lines in turn, in a new order each time, until the time is up.
// With each it also finds the line that is slowest and the one that allocates most.
func (b *textInspector) set(ctx context.Context, lines []textLine, d time.Duration, each bool) (*TextSet, error) {
	if len(lines) == 0 {
		return nil, errors.New("no messages to measure")
	}
	items := make([]engines.Item, len(lines))
	for i, l := range lines {
		items[i] = textItem(l)
	}
	out := &TextSet{Messages: len(lines)}
	count := func(item []engines.Item) (float64, error) { return b.allocations(ctx, item) }
	var err error
	if _, err = count(items); err != nil { // grows the buffers
		return nil, err
	}
	if out.Allocations, err = count(items); err != nil {
		return nil, err
	}
	var h histogram
	order := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // an order, no secret
	took := make([]lineTimes, len(lines))
	for end := time.Now().Add(d); time.Now().Before(end); {
		for _, i := range order.Perm(len(items)) {
			began := time.Now()
			if err := b.ask(ctx, &items[i]); err != nil {
				return nil, err
			}
			spent := time.Since(began)
			h.add(spent)
			took[i].add(spent)
		}
	}
	out.Calls, out.P50, out.P99, out.P999, out.Max = h.n, float64(h.quantile(0.5)), float64(h.quantile(0.99)), float64(h.quantile(0.999)), float64(h.max)
	if !each {
		return out, nil
	}
	slowest := time.Duration(0)
	for i := range items {
		n, err := count(slices.Repeat(items[i:i+1], 20))
		if err != nil {
			return nil, err
		}
		out.MostAllocs = max(out.MostAllocs, n)
		if m := took[i].median(); m > slowest {
			slowest, out.Slowest = m, fmt.Sprintf("%s (%s), %.1f µs", lines[i].text, lines[i].lang, micros(m))
		}
	}
	return out, nil
}

// lineTimes keeps the first times of one line.
type lineTimes struct {
	times [31]time.Duration
	n     int
}

func (h *lineTimes) add(d time.Duration) {
	if h.n < len(h.times) {
		h.times[h.n] = d
		h.n++
	}
}

func (h *lineTimes) median() time.Duration {
	if h.n == 0 {
		return 0
	}
	slices.Sort(h.times[:h.n])
	return h.times[h.n/2]
}

// allocations is the mean of what one of the items allocates.
func (b *textInspector) allocations(ctx context.Context, items []engines.Item) (float64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range items {
		if err := b.ask(ctx, &items[i]); err != nil {
			return 0, err
		}
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(len(items)), nil
}

const (
	mostRepeats = 300
	// repeatEach is the measured time of a set for which one text of random repeats is asked about.
	repeatEach = 10 * time.Millisecond
)

// againAfter is how many of the slowest texts are timed once more, of which the lower median counts:
// of three hundred one meets a moment in which the host stands still.
const againAfter = 10

// repeats adds the slowest of n texts of random repeats, at most mostRepeats, and the median one.
func (b *textInspector) repeats(ctx context.Context, r *TextReport, n int) error {
	texts := randomRepeats(min(max(n, 1), mostRepeats))
	slower := func(a, b LongText) int { return cmp.Compare(a.Median, b.Median) }
	var all []LongText
	for _, in := range texts {
		l, err := b.long(ctx, in)
		if err != nil {
			return err
		}
		all = append(all, l)
	}
	slices.SortFunc(all, slower)
	middle := all[len(all)/2]
	last := all[max(0, len(all)-againAfter):]
	for i := range last {
		at := slices.IndexFunc(texts, func(in longInput) bool { return in.name == last[i].Name })
		again, err := b.long(ctx, texts[at])
		if err != nil {
			return err
		}
		if slower(again, last[i]) < 0 {
			last[i] = again
		}
	}
	slow := slices.MaxFunc(last, slower)
	middle.Name, slow.Name = fmt.Sprintf("random repeats (%d)", len(all)), fmt.Sprintf("the slowest of them, %q", slow.Name)
	r.Long = append(r.Long, middle, slow)
	return nil
}

// long times one long text: the median of some calls, after one to warm up.
func (b *textInspector) long(ctx context.Context, in longInput) (LongText, error) {
	const calls = 9
	item := engines.Item{Kind: engines.KindText, Text: in.text}
	var times [calls]time.Duration
	for i := -1; i < calls; i++ {
		began := time.Now()
		if err := b.ask(ctx, &item); err != nil {
			return LongText{}, err
		}
		if i >= 0 {
			times[i] = time.Since(began)
		}
	}
	slices.Sort(times[:])
	return LongText{in.name, float64(times[calls/2]), float64(times[calls-1])}, nil
}

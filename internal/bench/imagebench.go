package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/decode"
)

const imageUsage = `Usage: portcullis bench image [flags]

Draws pictures as games show them (screenshots of 1280 × 720, half of them with three
or four lines of text in six languages; avatars of 256 × 256) and has the image engine
look at them in this process: on one core, then with one and with four at once on two.

`

// ImageEngines are what is measured: All is the engine as it is, Quiet the same without
// reading text, neither with a memory of pictures seen. Has names what this build looks for.
type ImageEngines struct {
	All, Quiet engines.Engine
	Has, Lacks []string
}

// imageFigures are milliseconds but for those that say otherwise.
type imageFigures struct {
	Pictures int      `json:"pictures"`
	Has      []string `json:"looked_for"`
	Lacks    []string `json:"not_in_this_build"`
	Mean     float64  `json:"screenshot_mean_ms"`
	CPU      float64  `json:"screenshot_cpu_mean_ms"` // what a machine with nothing else to do takes
	P99      float64  `json:"screenshot_p99_ms"`
	Decode   float64  `json:"decode_mean_ms"`
	Rest     float64  `json:"without_text_and_decoding_mean_ms"`
	Avatar   float64  `json:"avatar_mean_ms"`
	SmallCPU float64  `json:"avatar_cpu_mean_ms"`
	// Speedup is how many times as many pictures four at once on two cores get through
	// as one alone.
	Speedup float64 `json:"speedup_of_four_on_two_cores"`
	Failed  int     `json:"failed"`
}

// Images is `portcullis bench image`.
func Images(ctx context.Context, e ImageEngines, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("bench image", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, imageUsage); f.PrintDefaults() }
	n := f.Int("n", 100, "how many screenshots, and avatars")
	seed := f.Uint64("seed", 1, "of the pictures")
	goals := f.Bool("goals", false, "fail where a goal is missed")
	asJSON := f.Bool("json", false, "print JSON")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return fmt.Errorf("bench image: %w", err)
	}
	if *n < 100 && *goals {
		return errors.New("bench image: --goals: at least 100 pictures, for the slowest of a hundred")
	}
	if *n < 2 {
		return errors.New("bench image: --n: at least 2")
	}
	figures, err := e.measure(ctx, *n, *seed)
	if err != nil {
		return fmt.Errorf("bench image: %w", err)
	}
	if *asJSON {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(figures)
	} else {
		err = figures.print(stdout)
	}
	if err == nil && *goals {
		err = figures.goals()
	}
	return err
}

func (e *ImageEngines) measure(ctx context.Context, n int, seed uint64) (*imageFigures, error) {
	shots, err := drawShots(n, seed)
	if err != nil {
		return nil, err
	}
	avatars, err := drawAvatars(n, seed+1_000_000)
	if err != nil {
		return nil, err
	}
	r := &imageFigures{Pictures: n, Has: e.Has, Lacks: e.Lacks}
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	if _, err := timed(ctx, e.All, shots[:2], r); err != nil { // what is made once
		return nil, err
	}
	used := ownCPU()
	all, err := timed(ctx, e.All, shots, r)
	if err != nil {
		return nil, err
	}
	r.CPU = milliseconds(ownCPU()-used) / float64(n)
	r.Mean, r.P99 = spreadOf(all)
	quiet, err := timed(ctx, e.Quiet, shots, r)
	if err != nil {
		return nil, err
	}
	unpacked, err := timed(ctx, decoder{}, shots, r)
	if err != nil {
		return nil, err
	}
	rest, _ := spreadOf(quiet)
	r.Decode, _ = spreadOf(unpacked)
	r.Rest = max(0, rest-r.Decode)
	used = ownCPU()
	small, err := timed(ctx, e.All, avatars, r)
	if err != nil {
		return nil, err
	}
	r.SmallCPU = milliseconds(ownCPU()-used) / float64(n)
	r.Avatar, _ = spreadOf(small)
	runtime.GOMAXPROCS(2)
	together(ctx, e.All, shots[:min(n, 8)], 4) // what is made once for two at a time
	one, four := together(ctx, e.All, shots, 1), together(ctx, e.All, shots, 4)
	r.Speedup = one.Seconds() / four.Seconds()
	return r, ctx.Err()
}

// decoder does nothing but unpack.
type decoder struct{}

func (decoder) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	f, err := decode.Read(item.Media.Bytes, "", decode.Default())
	if err == nil {
		err = f.Unpack(ctx, func(fr decode.Frame) error { fr.Flat(decode.Black, 4<<20); return nil })
	}
	return out, err
}

func itemOf(file []byte) *engines.Item {
	return &engines.Item{App: "bench", Kind: engines.KindImage, Media: &engines.Media{Bytes: file, Use: engines.UseScreenshot}}
}

func timed(ctx context.Context, e engines.Engine, files [][]byte, r *imageFigures) ([]time.Duration, error) {
	took := make([]time.Duration, 0, len(files))
	for _, file := range files {
		began := time.Now()
		if _, err := e.Inspect(ctx, itemOf(file), nil); err != nil {
			r.Failed++
		}
		took = append(took, time.Since(began))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return took, nil
}

// together is how long n at once take for all files.
func together(ctx context.Context, e engines.Engine, files [][]byte, n int) time.Duration {
	began := time.Now()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(files)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				_, _ = e.Inspect(ctx, itemOf(files[i]), nil) // failures were counted before
			}
		})
	}
	wg.Wait()
	return time.Since(began)
}

func spreadOf(took []time.Duration) (mean, p99 float64) {
	slices.Sort(took)
	var sum time.Duration
	for _, d := range took {
		sum += d
	}
	return milliseconds(sum) / float64(len(took)), milliseconds(took[min(len(took)-1, len(took)*99/100)])
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (r *imageFigures) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, `%d screenshots of 1280 × 720, half with text; looked for: %v; not in this build: %v
  screenshot, all of it      mean %.1f ms, p99 %.1f ms; processor time %.1f ms
  of that unpacking          mean %.1f ms
  all but text and unpacking mean %.1f ms
  avatar of 256 × 256        mean %.1f ms; processor time %.1f ms
  four at once on two cores  %.2f times one
  failed                     %d
`, r.Pictures, r.Has, r.Lacks, r.Mean, r.P99, r.CPU, r.Decode, r.Rest, r.Avatar, r.SmallCPU, r.Speedup, r.Failed)
	return err
}

// goals names the goals that are missed.
func (r *imageFigures) goals() error {
	var missed []error
	at := func(what string, got, most float64) {
		if got > most {
			missed = append(missed, fmt.Errorf("%s: %.1f ms, at most %.0f", what, got, most))
		}
	}
	at("screenshot, mean", r.Mean, 200)
	at("screenshot, p99", r.P99, 500)
	at("all but text and unpacking", r.Rest, 60)
	at("avatar", r.Avatar, 25)
	if r.Speedup < 1.8 {
		missed = append(missed, fmt.Errorf("four at once on two cores: %.2f times one, at least 1.8", r.Speedup))
	}
	if r.Failed > 0 {
		missed = append(missed, fmt.Errorf("%d pictures were not looked at", r.Failed))
	}
	return errors.Join(missed...)
}

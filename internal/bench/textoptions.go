package bench

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/text/stage"
	"github.com/portcullis-gg/portcullis/internal/eval"
)

const textUsage = `Usage: portcullis bench text [flags]

Measures the text engine and the policy on one core: time and allocations a
message of ordinary chat in twelve languages, of abuse in disguise, of texts of
10,000 code points, and the memory of the process.

`

// textOptions are the flags of `bench text`.
type textOptions struct {
	duration      time.Duration
	data          []string
	split         string
	limit         int
	asJSON, goals bool
	meaning       bool
	models        string
	profile       string
}

func parseTextOptions(args []string, stderr io.Writer) (*textOptions, error) {
	o := &textOptions{}
	f := flag.NewFlagSet("bench text", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, textUsage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.DurationVar(&o.duration, "duration", 3*time.Second, "measured time of each set of messages")
	f.Func("data", "also measure the rows of this `file` (as eval text reads them); may be repeated", func(file string) error {
		o.data = append(o.data, file)
		return nil
	})
	f.StringVar(&o.split, "split", "", "with --data, only rows of this `split`")
	f.IntVar(&o.limit, "limit", 20_000, "with --data, rows drawn at random; 0 is all")
	f.BoolVar(&o.meaning, "meaning", true, "with the second stage, where its model was fetched")
	f.StringVar(&o.models, "models", eval.ModelsFolder(), "`folder` of models")
	f.StringVar(&o.profile, "profile", "", "write a CPU profile of what is measured to this `file`, which costs a little")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.goals, "goals", false, "hold the figures against the project's goals; a missed one is an error")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	var errs []error
	if f.NArg() > 0 {
		errs = append(errs, fmt.Errorf("bench text: unexpected argument %q", f.Arg(0)))
	}
	if o.duration <= 0 || o.duration > time.Hour {
		errs = append(errs, errors.New("bench text: --duration: must be positive and at most 1h"))
	}
	if o.limit < 0 {
		errs = append(errs, errors.New("bench text: --limit: must not be negative"))
	}
	return o, errors.Join(errs...)
}

// second opens the engine's second stage; nil where it is not asked for or was not fetched.
func (o *textOptions) second(stderr io.Writer) (*stage.Readers, error) {
	if !o.meaning {
		return nil, nil //nolint:nilnil // nobody reads
	}
	r, err := eval.OpenMeaning(o.models)
	if errors.Is(err, models.ErrMissing) || errors.Is(err, onnx.ErrNoLibrary) || errors.Is(err, onnx.ErrNotBuilt) {
		_, _ = fmt.Fprintf(stderr, "without a second stage: %v\n", err) // nothing to do for a closed stderr
		return nil, nil                                                 //nolint:nilnil // nobody reads
	}
	return r, err //nolint:wrapcheck // it names itself
}

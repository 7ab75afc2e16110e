package eval

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

// options are the flags of `eval text`.
type options struct {
	files                 []string
	split, langs, sources string
	positive, kind        string
	lexicons              string
	errors, json          string
	limit, strict, rules  int
	seed                  uint64
	minConf               float64
	noLang, noRules       bool
	calibration, sweep    bool
	meaning               bool
	models                string
}

const usage = `Usage: portcullis eval text FILE.jsonl[.gz] ... [flags]

Runs the text engine and the policy over labelled rows, in process and on all
cores, and prints how often they are right. A row is a JSON object a line with
text, lang, labels, toxic, source and, if known, split, sub and group.

`

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("eval text", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, usage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.StringVar(&o.split, "split", "all", "rows that count: `dev, train, test or all`")
	f.StringVar(&o.langs, "lang", "", "only these `languages`, with commas; zh takes zh-Hans along")
	f.StringVar(&o.sources, "source", "", "only these `sources`, with commas")
	f.IntVar(&o.limit, "limit", 0, "only this many rows, drawn at random; 0 is all")
	f.Uint64Var(&o.seed, "seed", 1, "of the draw")
	f.IntVar(&o.strict, "strict", 3, "strictness, 1 (lenient) to 5")
	f.StringVar(&o.positive, "positive", "review", "what counts as flagged: `review` (and block) or block alone")
	f.StringVar(&o.kind, "kind", "text", "what rows are: `text` or name")
	f.BoolVar(&o.noLang, "no-lang", false, "ask without the language")
	f.BoolVar(&o.noRules, "no-rules", false, "words alone, without rules")
	f.StringVar(&o.lexicons, "lexicons", "", "a `folder` of lists in place of the built-in ones")
	f.Float64Var(&o.minConf, "min-conf", 0.5, "confidence from which a category counts as found")
	f.StringVar(&o.errors, "errors", "", "write wrong rows, with what fired, to this `file`")
	f.IntVar(&o.rules, "rules", 0, "print the `N` rules and entries that flag most clean rows")
	f.StringVar(&o.json, "json", "", "write all figures to this `file`")
	f.BoolVar(&o.calibration, "calibration", false, "print how confidence and truth agree")
	f.BoolVar(&o.sweep, "strictness-sweep", false, "print recall and false positives at every strictness")
	f.BoolVar(&o.meaning, "meaning", true, "have what is uncertain read as a whole, where that model was fetched")
	f.StringVar(&o.models, "models", ModelsFolder(), "`folder` of models")
	for len(args) > 0 { // flags may stand behind files
		if err := f.Parse(args); err != nil {
			return nil, err
		}
		if args = f.Args(); len(args) > 0 {
			o.files = append(o.files, args[0])
			args = args[1:]
		}
	}
	return o, o.validate()
}

// validate returns every fault at once.
func (o *options) validate() error {
	var faults []error
	bad := func(wrong bool, text string) {
		if wrong {
			faults = append(faults, errors.New("eval text: "+text))
		}
	}
	bad(len(o.files) == 0, "name a file of rows")
	bad(!slices.Contains([]string{"dev", "train", "test", "all"}, o.split), "--split: must be dev, train, test or all")
	bad(o.limit < 0, "--limit: must not be negative")
	bad(o.rules < 0, "--rules: must not be negative")
	bad(o.strict < 1 || o.strict > policy.MaxStrictness, fmt.Sprintf("--strict: must be 1 to %d", policy.MaxStrictness))
	bad(o.positive != "review" && o.positive != "block", "--positive: must be review or block")
	bad(o.kind != string(engines.KindText) && o.kind != string(engines.KindName), "--kind: must be text or name")
	bad(!(o.minConf >= 0 && o.minConf <= 1), "--min-conf: must be 0 to 1")
	return errors.Join(faults...)
}

func (o *options) filter() Filter {
	f := Filter{Split: o.split, Langs: list(o.langs), Sources: list(o.sources), Limit: o.limit, Seed: o.seed}
	if f.Split == "all" {
		f.Split = ""
	}
	return f
}

func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}

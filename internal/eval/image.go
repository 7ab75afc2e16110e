package eval

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

const imageUsage = `Usage: portcullis eval image --data DIR [flags]
       portcullis eval image --drawn N [flags]

Looks at the pictures of a folder and says how often what was found is what the
folder's name says: DIR/clean/* has nothing wrong with it, DIR/nudity/*,
DIR/gore/*, DIR/spam/* and so on have that category. Folders within are walked.
Where there is a DIR/labels.jsonl, its lines say it instead:
{"file":"a/b.png","label":"clean"}.
With --drawn it draws N screenshots as games show them, half of them with harmless
lines, and N with an advert of a seller of game money among such lines.
The policy is the base and the layer of --use. No data leaves the machine.

`

// Images is `portcullis eval image`: look is the engine as a gateway has it, base and
// layers the policy.
func Images(ctx context.Context, look engines.Engine, set *policy.Set, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("eval image", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, imageUsage); f.PrintDefaults() }
	data := f.String("data", "", "the `folder`")
	drawn := f.Int("drawn", 0, "draw so many clean pictures, and as many with adverts, instead")
	seed := f.Uint64("seed", 1, "of the pictures that are drawn")
	use := f.String("use", string(engines.UseUpload), "what the pictures are for: avatar, screenshot, skin, upload or guild_emblem")
	wrong := f.Bool("wrong", false, "name the pictures that came out otherwise")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return fmt.Errorf("eval image: %w", err)
	}
	if (*data == "") == (*drawn <= 0) || !slices.Contains(engines.Uses, engines.Use(*use)) {
		return errors.New("eval image: --data names a folder, or --drawn says how many; --use names one of the uses")
	}
	r := imageRun{look: look, set: set, use: engines.Use(*use), by: map[string]*imageTally{}}
	if *wrong {
		r.wrong = stdout
	}
	read := func() error { return r.folder(ctx, *data) }
	if *drawn > 0 {
		read = func() error { return r.drawn(ctx, *drawn, *seed) }
	} else if labels, err := os.ReadFile(filepath.Join(*data, labelsFile)); err == nil {
		read = func() error { return r.labelled(ctx, *data, labels) }
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("eval image: %w", err)
	}
	if err := read(); err != nil {
		return fmt.Errorf("eval image: %w", err)
	}
	if len(r.by) == 0 {
		return fmt.Errorf("eval image: %s has no pictures with labels", *data)
	}
	return r.print(stdout)
}

// imageTally is what came of the pictures of one label.
type imageTally struct {
	all, found, blocked, reviewed, refused, failed int
	took                                           []time.Duration
}

type imageRun struct {
	look  engines.Engine
	set   *policy.Set
	use   engines.Use
	by    map[string]*imageTally
	wrong io.Writer // nil: nowhere
}

func (r *imageRun) folder(ctx context.Context, dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { //nolint:wrapcheck // Images wraps it
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		label, _, inside := strings.Cut(filepath.ToSlash(rel), "/")
		if !inside || strings.HasPrefix(d.Name(), ".") {
			return nil
		}
		file, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return r.one(ctx, label, rel, file)
	})
}

func (r *imageRun) one(ctx context.Context, label, name string, file []byte) error {
	t := r.by[label]
	if t == nil {
		t = &imageTally{}
		r.by[label] = t
	}
	item := &engines.Item{App: "eval", Kind: engines.KindImage, ReceivedAt: time.Now(), Media: &engines.Media{Bytes: file, Use: r.use}}
	rules := r.set.Resolve(item, item.ReceivedAt)
	item.Words = rules.Words()
	began := time.Now()
	signals, err := r.look.Inspect(ctx, item, nil)
	took := time.Since(began)
	t.all++
	switch {
	case errors.As(err, new(*engines.Refusal)):
		t.refused++
		r.tell(name, err.Error())
		return ctx.Err()
	case err != nil:
		t.failed++
		r.tell(name, err.Error())
		return ctx.Err()
	}
	t.took = append(t.took, took)
	v := policy.Decide(item, signals, nil, engines.Standing{}, rules)
	found := v.Found()
	switch found.Suggestion {
	case engines.Block:
		t.blocked++
	case engines.Review:
		t.reviewed++
	case engines.Pass:
	}
	is := slices.ContainsFunc(found.Labels, func(l engines.Label) bool { return string(l.Category) == label })
	if label == "clean" {
		is = found.Suggestion == engines.Pass && len(found.Labels) == 0
	}
	if is {
		t.found++
	} else {
		r.tell(name, fmt.Sprintf("%s %v", found.Suggestion, categoriesOf(found)))
	}
	return ctx.Err()
}

func (r *imageRun) tell(name, what string) {
	if r.wrong != nil {
		_, _ = fmt.Fprintf(r.wrong, "%s: %s\n", name, what) // print has the error that counts
	}
}

func categoriesOf(f *engines.Finding) (names []string) {
	for _, l := range f.Labels {
		names = append(names, string(l.Category))
	}
	return names
}

func (r *imageRun) print(w io.Writer) error {
	names := make([]string, 0, len(r.by))
	for name := range r.by {
		names = append(names, name)
	}
	sort.Strings(names)
	_, err := fmt.Fprintf(w, "%-16s %8s %8s %8s %8s %8s %8s %10s %10s\n", "label", "pictures", "right", "block", "review", "refused", "failed", "mean ms", "p99 ms")
	for _, name := range names {
		t := r.by[name]
		mean, p99 := spread(t.took)
		_, failed := fmt.Fprintf(w, "%-16s %8d %7.1f%% %8d %8d %8d %8d %10.1f %10.1f\n",
			name, t.all, 100*float64(t.found)/float64(t.all), t.blocked, t.reviewed, t.refused, t.failed, mean, p99)
		err = errors.Join(err, failed)
	}
	return err
}

// spread is the mean and the 99th percentile in milliseconds.
func spread(took []time.Duration) (mean, p99 float64) {
	if len(took) == 0 {
		return 0, 0
	}
	took = slices.Clone(took)
	slices.Sort(took)
	var sum time.Duration
	for _, d := range took {
		sum += d
	}
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return ms(sum) / float64(len(took)), ms(took[min(len(took)-1, len(took)*99/100)])
}

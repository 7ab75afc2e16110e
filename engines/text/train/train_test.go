package train

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text/classify"
)

func TestReadLines(t *testing.T) {
	rows, err := readLines("testdata/lines", 1, 6, true)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, r := range rows {
		seen[r.Text] += r.repeat
	}
	if seen["nice play"] != 6 {
		t.Errorf("a line without slots is seen %d times, want 6", seen["nice play"])
	}
	if n := seen["my rank grew while i slept, a friend of mine is cheap"]; n != 6/gistShare {
		t.Errorf("a line of what is left unsaid is seen %d times, want %d", n, 6/gistShare)
	}
	for _, later := range []string{"unsaid2", "unsaid3", "adverts"} {
		if n := timesOf("lines/xx-"+later+".yaml", 6); n != 6/gistShare {
			t.Errorf("one of %s %d times", later, n)
		}
	}
	if seen["meet at the {gate}"] != 6 {
		t.Error("a name that is no slot does not stay as it is")
	}
	fills := 0
	for text := range seen {
		if strings.HasPrefix(text, "stop feeding ") {
			fills++
		}
	}
	if fills != 2 {
		t.Errorf("%d fills of a slot of two words, want 2", fills)
	}
	if got := categories(t, "harassment + hate"); len(got) != 2 {
		t.Errorf("two categories give %v", got)
	}
	if _, err := categoriesOf("rudeness"); err == nil {
		t.Error("an unknown category passes")
	}
}

func categories(t *testing.T, key string) []engines.Category {
	t.Helper()
	got, err := categoriesOf(key)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEvadeIsSteady(t *testing.T) {
	for seed := range uint64(200) {
		a := evade(rand.New(rand.NewPCG(seed, 1)), "nobody needs a healer like you, привет мир")
		b := evade(rand.New(rand.NewPCG(seed, 1)), "nobody needs a healer like you, привет мир")
		if a != b || a == "" {
			t.Fatalf("seed %d: %q and %q", seed, a, b)
		}
	}
}

// Clean twins of insults must not teach that silence about a category is a no.
func TestAsked(t *testing.T) {
	p := preparer{}
	vague, precise := &source{toxic: 1, clean: 1, known: abuse}, &source{toxic: 1, clean: 1, known: abuse | 1<<classify.Hate}
	insult := row{Toxic: true, Labels: []engines.Category{engines.Harassment}}
	if got := p.asked(&insult, insult.labels(), vague); got.has(int(classify.Hate)) || got.has(int(classify.Sexual)) || !got.has(int(classify.Abuse)) {
		t.Errorf("an insult of a source without hate asks %b", got)
	}
	if got := p.asked(&insult, insult.labels(), precise); !got.has(int(classify.Hate)) {
		t.Errorf("an insult of a source that names hate asks %b", got)
	}
	advert := row{Toxic: true, Labels: []engines.Category{engines.Spam}}
	if got := p.asked(&advert, advert.labels(), precise); got.has(int(classify.Abuse)) {
		t.Errorf("an advert asks %b: it is neither abuse nor clean", got)
	}
}

// A whole run on a handful of rows, twice: the same bytes, and a model that learnt.
func TestMainIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	writeRows(t, filepath.Join(dir, "permissive.jsonl.gz"))
	var sums [2][]byte
	for i := range sums {
		out := filepath.Join(dir, "weights.bin")
		var log bytes.Buffer
		err := Main(t.Context(), []string{"text", "--data", dir, "--lines", "testdata/lines", "--lexicons", "testdata/lexicons", "--out", out, "--bits", "12", "--epochs", "2"}, nil, &log, &log)
		if err != nil {
			t.Fatal(err, log.String())
		}
		if sums[i], err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(sums[0], sums[1]) {
		t.Error("two runs gave other weights")
	}
	if _, err := classify.Parse(sums[0]); err != nil {
		t.Error(err)
	}
	if err := Main(t.Context(), []string{"text"}, nil, os.Stdout, os.Stderr); !errors.Is(err, ErrUsage) {
		t.Errorf("without flags: %v, want ErrUsage", err)
	}
}

func writeRows(t *testing.T, name string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	enc := json.NewEncoder(z)
	for i := range 200 {
		r := map[string]any{"text": "have a nice day number " + strings.Repeat("x", i%7), "lang": "en", "source": "greetings", "split": [2]string{"train", "dev"}[i%2]}
		if i%4 >= 2 {
			r = map[string]any{
				"text": "you are a muppet " + strings.Repeat("y", i%5), "lang": "en", "source": "insults", "toxic": true,
				"labels": []string{"harassment"}, "split": [2]string{"train", "dev"}[i%2],
			}
		}
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Who deals in what is forbidden insults nobody: a written line of that teaches crime alone,
// and any other crime (death wished on somebody, a child lured) abuse too.
func TestDealsTeachNoAbuse(t *testing.T) {
	crime := labelOf[engines.Illegal]
	for _, c := range []struct {
		row   row
		dealt bool
		want  labels
	}{
		{row{Labels: []engines.Category{engines.Illegal}, written: true}, true, crime &^ abuse},
		{row{Labels: []engines.Category{engines.Illegal}, written: true}, false, crime},
		{row{Labels: []engines.Category{engines.Illegal}}, true, crime},
		{row{Labels: []engines.Category{engines.Illegal, engines.Harassment}, written: true}, true, crime},
		{row{Labels: []engines.Category{engines.Harassment}, written: true}, true, abuse},
	} {
		if got := c.row.taught(c.dealt); got != c.want {
			t.Errorf("%v, written %t, a deal %t: teaches %b, want %b", c.row.Labels, c.row.written, c.dealt, got, c.want)
		}
	}
}

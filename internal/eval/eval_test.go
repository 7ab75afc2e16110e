package eval

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// sample holds plain and disguised abuse, unsure words and everyday talk.
const sample = `{"text":"kill yourself","lang":"en","labels":["illegal"],"toxic":true,"source":"own","split":"dev"}
{"text":"k1ll y0urself","lang":"en","labels":["illegal"],"toxic":true,"source":"evasion","split":"dev","sub":"leet"}
{"text":"you are an idiot","lang":"en","labels":["harassment"],"toxic":true,"source":"own","split":"dev"}
{"text":"what the hell was that","lang":"en","labels":[],"toxic":false,"source":"own","split":"dev","sub":"chat"}
{"text":"this damn boss again","lang":"en","labels":[],"toxic":false,"source":"own","split":"dev","sub":"chat"}
{"text":"sex education class","lang":"en","labels":[],"toxic":false,"source":"own","split":"dev","sub":"look","group":"x"}
{"text":"fuck","lang":"en","labels":["harassment"],"toxic":true,"source":"own","split":"train"}
{"text":"see you at the gate","lang":"en","labels":[],"toxic":false,"source":"ubuntu-irc","split":"dev"}

{"text":"ボスを倒したら集合","lang":"ja","labels":[],"toxic":false,"source":"synth-clean-game","split":"dev"}
`

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	data := []byte(text)
	if strings.HasSuffix(name, ".gz") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(data)
		z.Close()
		data = b.Bytes()
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestMainReports(t *testing.T) {
	file := write(t, "rows.jsonl.gz", sample)
	figures, wrong := filepath.Join(t.TempDir(), "f.json"), filepath.Join(t.TempDir(), "wrong.jsonl")
	var out, notes bytes.Buffer
	args := []string{"text", file, "--split", "dev", "--rules", "3", "--calibration", "--strictness-sweep", "--json", figures, "--errors", wrong, "--strict", "5"}
	if err := Main(t.Context(), args, &out, &notes); err != nil {
		t.Fatalf("Main: %v\n%s", err, notes.String())
	}
	for _, want := range []string{
		"8 rows in", "\nlang en", "\nsource own", "\nevasion leet", "\ngroup own look", "\nkind chat", "\nall clean sets", "\nlabel illegal",
		"\nnothing fired", "\nstrictness  ", "mean over 0 languages",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	data, err := os.ReadFile(figures)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Rows   int
		Groups map[string]map[string]struct {
			TP, FN int
			FPR    *float64
		}
		Sweep []any `json:"strictness_sweep"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if g := got.Groups["source"]["own"]; got.Rows != 8 || g.TP+g.FN != 2 || len(got.Sweep) != levels || got.Groups["evasion"]["leet"].FPR != nil {
		t.Errorf("figures: %s", data)
	}
	if _, err := os.Stat(wrong); err != nil {
		t.Error(err)
	}
}

func TestWrongRowsSayWhatFired(t *testing.T) {
	rows, err := Read(t.Context(), []string{write(t, "rows.jsonl", `{"text":"he said: fuck","lang":"en","labels":[],"toxic":false,"source":"own"}`)}, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	results, rules := ask(t, rows, true)
	file := filepath.Join(t.TempDir(), "wrong.jsonl")
	if err := writeErrors(file, rows, results, engines.Review); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(file)
	var got wrongRow
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Got == engines.Pass || len(got.Fired) == 0 || got.Fired[0].Matched != "fuck" || got.Fired[0].Rule == "" {
		t.Errorf("wrong row: %s", data)
	}
	worst := worstRules(rules, 5)
	if len(worst) == 0 || worst[0].Clean != 1 || worst[0].Langs["en"] != 1 {
		t.Errorf("worst rules: %+v", worst)
	}
}

// ask runs the built-in engine over rows.
func ask(t *testing.T, rows []Row, keep bool) ([]Result, map[string]*RuleCount) {
	t.Helper()
	o := options{strict: 3, kind: "text", sweep: true}
	s, err := o.setup(text.Second{})
	if err != nil {
		t.Fatal(err)
	}
	s.Keep = keep
	results, rules, err := Run(t.Context(), s, rows)
	if err != nil {
		t.Fatal(err)
	}
	return results, rules
}

func TestStricterFindsNoLess(t *testing.T) {
	rows, err := Read(t.Context(), []string{write(t, "rows.jsonl", sample)}, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	results, _ := ask(t, rows, false)
	for _, positive := range []engines.Suggestion{engines.Review, engines.Block} {
		found := sweep(rows, results, positive)
		if err := risesWithStrictness(found); err != nil {
			t.Errorf("flagged is %s: %v", positive, err)
		}
		if n := found[levels-1].All.TruePositive; positive == engines.Review && n == 0 {
			t.Error("nothing is found at the strictest level")
		}
	}
	for i := range results {
		for n := 1; n < levels; n++ {
			if results[i].Levels[n].Rank() < results[i].Levels[n-1].Rank() {
				t.Errorf("%q: %v", rows[i].Text, results[i].Levels)
			}
		}
	}
	falling := []Level{{All: &Counts{FalsePositive: 2}}, {All: &Counts{FalsePositive: 1}}}
	if risesWithStrictness(falling) == nil {
		t.Error("a sweep that falls is not told")
	}
}

func TestBadRowsAreNamed(t *testing.T) {
	file := write(t, "bad.jsonl", sample+"\n"+`{"text":"x","lang":"en","labels":["rude"],"source":"own"}`+"\n{\n"+`{"text":"","lang":"en","toxic":false,"source":"own"}`+"\n")
	_, err := Read(t.Context(), []string{file}, Filter{})
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		file + ":12: toxic is missing",
		file + `:12: label "rude" is no category`,
		file + ":13: is no row: unexpected end of JSON input",
		file + ":14: text is missing",
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	long := write(t, "long.jsonl", `{"text":"`+strings.Repeat("a", maxLine)+`"}`)
	if _, err := Read(t.Context(), []string{long}, Filter{}); err == nil || !strings.Contains(err.Error(), "long.jsonl:1: ") {
		t.Errorf("too long a line: %v", err)
	}
	if _, err := Read(t.Context(), []string{write(t, "x.jsonl.gz", "")[:1] + "/none.gz"}, Filter{}); err == nil {
		t.Error("a file that isn't there is read")
	}
}

func TestFilter(t *testing.T) {
	file := write(t, "rows.jsonl", sample+`{"text":"你好","lang":"zh-Hans","labels":[],"toxic":false,"source":"own","split":"test"}`)
	for _, c := range []struct {
		filter Filter
		want   int
	}{
		{Filter{}, 10},
		{Filter{Split: "train"}, 1},
		{Filter{Langs: []string{"zh"}}, 1},
		{Filter{Langs: []string{"z", "ja"}}, 1},
		{Filter{Sources: []string{"ubuntu-irc", "evasion"}}, 2},
		{Filter{Limit: 4, Seed: 1}, 4},
	} {
		rows, err := Read(t.Context(), []string{file}, c.filter)
		if err != nil || len(rows) != c.want {
			t.Errorf("%+v takes %d rows (%v), want %d", c.filter, len(rows), err, c.want)
		}
		again, _ := Read(t.Context(), []string{file}, c.filter)
		if diff := cmp.Diff(rows, again); diff != "" {
			t.Errorf("%+v draws others the second time", c.filter)
		}
	}
}

func TestOptionsSayAllThatIsWrong(t *testing.T) {
	var notes bytes.Buffer
	_, err := parseOptions([]string{"--strict", "9", "--split", "x", "--positive", "pass", "--limit", "-1"}, &notes)
	if err == nil || len(strings.Split(err.Error(), "\n")) != 5 {
		t.Errorf("faults: %v", err)
	}
	for _, args := range [][]string{nil, {"image"}} {
		if Main(t.Context(), args, &notes, &notes) == nil {
			t.Errorf("Main(%v) is no error", args)
		}
	}
	if err := Main(t.Context(), []string{"text", "--help"}, &notes, &notes); err != nil {
		t.Errorf("--help: %v", err)
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, n   int
		low, high float64
	}{
		// The examples of R. G. Newcombe, Statistics in Medicine 17 (1998), table I.
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		low, high := Wilson(c.hits, c.n)
		if math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("Wilson(%d, %d) = %.4f, %.4f, want %.4f, %.4f", c.hits, c.n, low, high, c.low, c.high)
		}
	}
	if low, high := Wilson(0, 0); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("Wilson(0, 0) = %v, %v", low, high)
	}
}

func TestCalibration(t *testing.T) {
	yes, no := true, false
	rows := []Row{{Toxic: &yes}, {Toxic: &yes}, {Toxic: &no}, {Toxic: &no}}
	results := []Result{{Top: 1}, {Top: 0.75}, {Top: 0.25}, {}}
	c := calibrate(rows, results)
	// 0 + 0.25 + 0.25 + 0, over four rows and over the three that fired.
	if got, want := float64(c.Error), 0.125; math.Abs(got-want) > 1e-9 {
		t.Errorf("error %v, want %v", got, want)
	}
	if got, want := float64(c.ErrorFired), 0.5/3; math.Abs(got-want) > 1e-9 {
		t.Errorf("error of what fired %v, want %v", got, want)
	}
	if c.Bins[9].Rows != 1 || c.Bins[7].Toxic != 1 || c.Silent.Rows != 1 {
		t.Errorf("bins %+v", c.Bins)
	}
}

func TestMacroWeighsLanguagesAlike(t *testing.T) {
	m := macro(map[string]*Counts{
		"en": {TruePositive: 300, TrueNegative: 10},
		"fi": {FalseNegative: 30, FalsePositive: 0, TrueNegative: 10},
		"is": {FalseNegative: macroRows - 1},
	})
	if m.Languages != 2 || m.Recall != 0.5 || m.Precision != 1 {
		t.Errorf("macro = %+v", m)
	}
}

func TestSplitRule(t *testing.T) {
	for rule, want := range map[string]string{
		"en/hell":                      "en/hell",
		"en/kill yourself+joined+leet": "en/kill yourself joined leet",
		"en/18+":                       "en/18+",
		"en/18++masked":                "en/18+ masked",
		"mul/a+1+accent":               "mul/a+1 accent",
	} {
		name, steps := SplitRule(rule)
		if got := strings.Join(append([]string{name}, steps...), " "); got != want {
			t.Errorf("SplitRule(%q) = %q, want %q", rule, got, want)
		}
	}
}

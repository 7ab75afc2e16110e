package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
)

func TestExplainSaysWhatThePolicyMakesOfASignal(t *testing.T) {
	no := false
	for _, c := range []struct {
		name       string
		policy     policy.Config
		category   engines.Category
		confidence float64
		strict     int
		leads      engines.Suggestion
		why        string
	}{
		{"blocked", policy.Config{}, engines.Hate, 0.99, 0, engines.Block, "block from strictness 1 on"},
		{"reviewed, block later", policy.Config{}, engines.Hate, 0.7, 0, engines.Review, "a person from strictness 2 on, to block from 5 on"},
		{"reviewed, never blocked", policy.Config{}, engines.Hate, 0.6, 0, engines.Review, "too unsure to block at any"},
		{"low risk", policy.Config{}, engines.Spam, 0.99, 0, engines.Review, "this policy blocks no spam"},
		{"weak", policy.Config{}, engines.Spam, 0.5, 0, engines.Pass, "would count from strictness 4 on"},
		{"weak, but asked strictly", policy.Config{}, engines.Spam, 0.5, 5, engines.Review, "a person from strictness 4 on"},
		{"nothing", policy.Config{}, engines.Spam, 0.1, 0, engines.Pass, "too unsure at any"},
		{"off", policy.Config{Categories: map[engines.Category]policy.CategoryConfig{engines.Spam: {Enabled: &no}}}, engines.Spam, 0.9, 0, engines.Pass, "switched off"},
		{"warned", policy.Config{Categories: map[engines.Category]policy.CategoryConfig{engines.Spam: {Action: policy.ActionWarn}}}, engines.Spam, 0.9, 0, engines.Pass, "warns of spam"},
		{"observed", policy.Config{Mode: engines.MonitorOnly}, engines.Hate, 0.9, 0, engines.Block, "block from strictness 3 on"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, err := policy.Compile(c.policy, nil, policy.Words{})
			if err != nil {
				t.Fatal(err)
			}
			item := &engines.Item{Text: "x", StrictLevel: c.strict}
			s := engines.Signal{Category: c.category, Confidence: c.confidence}
			leads, why := alone(item, &s, set.Resolve(item, time.Time{}))
			if leads != c.leads || !strings.Contains(why, c.why) {
				t.Errorf("alone = %s, %q; want %s, %q", leads, why, c.leads, c.why)
			}
		})
	}
}

// reader is a second stage that answers the same of every text.
type reader [text.Answers]float64

func (r reader) Read(context.Context, string) ([text.Answers]float64, bool) { return r, true }

// suspicious takes every text for an attack with these log-odds.
type suspicious float64

func (s suspicious) Read(context.Context, string) (float64, bool) { return float64(s), true }

// TestExplainWhole has an explanation say what the second stage answered and what that came to,
// and nothing of it where it was not asked.
func TestExplainWhole(t *testing.T) {
	cfg := defaultConfig()
	e, err := newExplainer(&cfg, text.Second{Attacks: suspicious(-9), Meaning: reader{-9, 9, -9, -9, -9}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want []string
		not  string
	}{
		{"clean piece no numbers, 400, meet behind the gym", []string{"read as a whole: offer 0.00, crime 1.00,", "illegal 0.8", "model/deals"}, "attack"},
		{"my best friend is a muslim and he carries me", []string{"read as a whole:", "attack 0.0"}, "model/meaning"},
		{"see you tomorrow", nil, "read as a whole"},
	} {
		x, err := e.explain(t.Context(), &engines.Item{Kind: engines.KindText, Text: c.text, Language: "en"})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := x.print(&b, false); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%q: no %q in\n%s", c.text, want, b.String())
			}
		}
		if strings.Contains(b.String(), c.not) {
			t.Errorf("%q: %q in\n%s", c.text, c.not, b.String())
		}
	}
}

// TestExplainDamaged has each network that is damaged told, whether or not the other was
// fetched, and none that was not.
func TestExplainDamaged(t *testing.T) {
	library, err := onnx.Find(onnxtest.Models(t))
	if err != nil {
		t.Fatalf("%v (make setup)", err)
	}
	t.Setenv(onnx.LibraryEnv, library)
	for _, c := range []struct {
		name    string
		damaged []string
		want    []string // how what is told begins, a line each
	}{
		{"nothing fetched", nil, nil},
		{"one damaged", []string{models.Gist}, []string{"gist"}},
		{"the other damaged", []string{models.Meaning}, []string{"meaning"}},
		{"both damaged", []string{models.Gist, models.Meaning}, []string{"meaning", "gist"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := models.NewStore(t.TempDir())
			t.Setenv("PORTCULLIS_MODELS", store.Dir())
			for _, id := range c.damaged {
				damage(t, store, models.Find(id))
			}
			var told strings.Builder
			if code := run(t.Context(), []string{"explain", "see you tomorrow"}, std{nil, io.Discard, &told}); code != 0 {
				t.Fatalf("explain ended with %d: %s", code, told.String())
			}
			lines := strings.Split(strings.TrimSuffix(told.String(), "\n"), "\n")
			if told.Len() == 0 {
				lines = nil
			}
			if len(lines) != len(c.want) {
				t.Fatalf("told %q, want a line each of %q", lines, c.want)
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], "a network that reads messages as a whole is not used: "+want) || !strings.Contains(lines[i], models.ErrDamaged.Error()) {
					t.Errorf("told %q, want that of %s", lines[i], want)
				}
			}
		})
	}
}

// damage leaves files of other contents in the place of a model's.
func damage(t *testing.T, store *models.Store, m *models.Model) {
	t.Helper()
	for i := range m.Files {
		path := store.Path(&m.Files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("none"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

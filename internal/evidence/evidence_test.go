package evidence_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/audit"
	"github.com/portcullis-gg/portcullis/internal/evidence"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/blobs"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// vault is a service over a real store.
type vault struct {
	*evidence.Service

	db    *sqlstore.Store
	files *blobs.Store
	key   audit.Key
}

func open(t *testing.T, cfg evidence.Config) *vault {
	t.Helper()
	dir := t.TempDir()
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: dir, MasterKey: [32]byte{1}, Node: "n1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	files, err := blobs.Open(blobs.Config{Dir: dir + "/evidence", MaxSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	key := audit.NewKey([32]byte{7})
	s, err := evidence.New(cfg, evidence.Deps{Store: db, Files: files, Sign: key, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return &vault{s, db, files, key}
}

func item(n int, text string) *engines.Item {
	return &engines.Item{RequestID: engines.RequestID(fmt.Sprint("r", n)), App: "game", Player: "ann", Scene: "lobby", Kind: engines.KindText, Text: text, ReceivedAt: time.Now()}
}

func outcome(s engines.Suggestion, opened bool, labels ...engines.Label) engines.Outcome {
	o := engines.Outcome{Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: s, Labels: labels}, Action: engines.Deliver, Case: opened}}
	if opened {
		o.CaseID = "c1"
	}
	return o
}

func (v *vault) of(t *testing.T, item *engines.Item, o engines.Outcome) *store.Evidence {
	t.Helper()
	e, err := v.Of(t.Context(), item, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// put keeps evidence of a text as the desk does.
func (v *vault) put(t *testing.T, n int, text string, labels ...engines.Label) store.Evidence {
	t.Helper()
	e := v.of(t, item(n, text), outcome(engines.Block, true, labels...))
	if err := v.db.PutDecision(t.Context(), store.Decision{App: "game", Request: e.Request, Created: time.Now(), Evidence: e}, nil, nil); err != nil {
		t.Fatal(err)
	}
	return *e
}

var (
	hate  = engines.Label{Category: engines.Hate, Severity: 3, Confidence: 0.9}
	child = engines.Label{Category: engines.Illegal, SubLabel: "child_safety", Severity: 2, Confidence: 0.6}
)

func TestWhatIsKept(t *testing.T) {
	observed := outcome(engines.Pass, false)
	observed.Verdict.Observed = &engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{hate}}
	for _, c := range []struct {
		keep []string
		o    engines.Outcome
		kept bool
	}{
		{[]string{"blocked", "cases"}, outcome(engines.Block, false, hate), true},
		{[]string{"blocked", "cases"}, outcome(engines.Review, true, hate), true},
		{[]string{"blocked", "cases"}, outcome(engines.Pass, false, hate), false},
		{[]string{"blocked", "cases"}, observed, true}, // what was seen where nobody may act on it
		{[]string{"cases"}, outcome(engines.Block, false, hate), false},
		{[]string{"blocked"}, outcome(engines.Review, true, hate), false},
		{nil, outcome(engines.Block, true, hate), false},
	} {
		cfg := evidence.Default()
		cfg.Keep = c.keep
		if e := open(t, cfg).of(t, item(1, "text"), c.o); (e != nil) != c.kept {
			t.Errorf("keep %v of %+v: %v, want kept = %v", c.keep, c.o.Verdict, e, c.kept)
		}
	}
}

func TestRetentionByCategory(t *testing.T) {
	cfg := evidence.Default()
	cfg.Retention["hate"] = 0
	v := open(t, cfg)
	for _, c := range []struct {
		label  engines.Label
		days   int
		locked bool
	}{
		{hate, 0, false},
		{child, 365, true},
		{engines.Label{Category: "child_safety", Severity: 1}, 365, true},
		{engines.Label{Category: engines.Illegal, SubLabel: "extremism"}, 365, false},
		{engines.Label{Category: engines.Spam, SubLabel: "rmt"}, 30, false},
		{engines.Label{Category: "gore"}, 90, false}, // default
	} {
		e := v.of(t, item(1, "x"), outcome(engines.Block, false, c.label))
		got := 0
		if !e.Expires.IsZero() {
			got = int(e.Expires.Sub(e.Created).Hours() / 24)
		}
		if got != c.days || e.Locked != c.locked {
			t.Errorf("%+v: kept %d days, locked %v, want %d, %v", c.label, got, e.Locked, c.days, c.locked)
		}
	}
	// What is about children rules, whatever else was found and however grave.
	e := v.of(t, item(1, "x"), outcome(engines.Block, false, engines.Label{Category: engines.Violence, Severity: 4, Confidence: 1}, child))
	if e.SubLabel != "child_safety" || !e.Locked {
		t.Errorf("of two findings: %+v", e)
	}
}

func TestReadingIsOnTheChain(t *testing.T) {
	v := open(t, evidence.Default())
	plain, locked := v.put(t, 1, "some words", hate), v.put(t, 2, "other words", child)
	_, body, err := v.Read(t.Context(), plain.ID, evidence.Reader{Name: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil || string(text) != "some words" {
		t.Errorf("content %q, %v", text, err)
	}
	if _, _, err := v.Read(t.Context(), locked.ID, evidence.Reader{Name: "ana"}); !errors.Is(err, evidence.ErrLocked) {
		t.Errorf("locked content: %v", err)
	}
	_, body, err = v.Read(t.Context(), locked.ID, evidence.Reader{Name: "root", Unlock: true})
	if err != nil {
		t.Fatal(err)
	}
	_ = body.Close()
	for _, c := range []struct {
		id   string
		want []string
	}{{plain.ID, []string{"taken system", "read ana"}}, {locked.ID, []string{"taken system", "read root"}}} {
		_, links, err := v.Chain(t.Context(), c.id)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range links {
			got = append(got, l.Action+" "+l.Actor)
		}
		if strings.Join(got, ", ") != strings.Join(c.want, ", ") {
			t.Errorf("chain %v, want %v", got, c.want)
		}
	}
}

// Media lies in files, which go with the last item that needs them.
func TestFiles(t *testing.T) {
	v := open(t, evidence.Default())
	it := item(1, "")
	it.Kind = engines.KindImage
	first, err := v.Add(t.Context(), it, new(outcome(engines.Block, false, hate)), "image/png", strings.NewReader("png"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := v.Add(t.Context(), it, new(outcome(engines.Block, false, hate)), "image/png", strings.NewReader("png"))
	if err != nil || second.SHA256 != first.SHA256 || second.ID == first.ID {
		t.Fatalf("the same picture again: %+v, %v", second, err)
	}
	_, body, err := v.Read(t.Context(), first.ID, evidence.Reader{Name: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil || string(bytes) != "png" {
		t.Errorf("picture %q, %v", bytes, err)
	}
	if _, err := v.Add(t.Context(), it, new(outcome(engines.Block, false)), "image/png", strings.NewReader(strings.Repeat("x", 2<<20))); !errors.Is(err, blobs.ErrTooLarge) {
		t.Errorf("a picture that is too large: %v", err)
	}
	if _, err := v.db.SweepEvidence(t.Context(), time.Now().AddDate(1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	if err := v.db.FreeBlobs(t.Context(), v.files.Delete); err != nil {
		t.Fatal(err)
	}
	if _, err := v.files.Open(first.SHA256); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the file after its items: %v", err)
	}
}

func TestTransferHolds(t *testing.T) {
	v := open(t, evidence.Default())
	e := v.put(t, 1, "words", child)
	h, err := v.Transfer(t.Context(), e.ID, "root", "police", "case 7")
	if err != nil {
		t.Fatal(err)
	}
	if h.Hold == nil || h.Authority != "police" || h.Reference != "case 7" || h.Links[len(h.Links)-1].Action != store.LinkTransfer {
		t.Errorf("record %+v", h)
	}
	if _, err := v.Transfer(t.Context(), e.ID, "root", "court", ""); err != nil { // a second authority
		t.Error(err)
	}
	if n, err := v.db.SweepEvidence(t.Context(), time.Now().AddDate(10, 0, 0)); n != 0 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
}

// pack exports all there is.
func (v *vault) pack(t *testing.T, who evidence.Reader) []byte {
	t.Helper()
	items, err := v.Select(t.Context(), nil, store.EvidenceQuery{App: "game", Player: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := v.Pack(t.Context(), evidence.Export{Items: items, Reader: who, Reason: "court order 7"}, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func verify(archive []byte, key string) (evidence.Checked, error) {
	return evidence.Verify(bytes.NewReader(archive), int64(len(archive)), key)
}

func TestArchive(t *testing.T) {
	v := open(t, evidence.Default())
	v.put(t, 1, "some words", hate)
	gone := v.put(t, 2, "gone words", engines.Label{Category: engines.Spam})
	v.put(t, 3, "locked words", child)
	if _, err := v.db.SweepEvidence(t.Context(), time.Now().AddDate(0, 0, 31)); err != nil { // spam's 30 days
		t.Fatal(err)
	}
	archive := v.pack(t, evidence.Reader{Name: "ana"})
	c, err := verify(archive, v.key.Public())
	if err != nil {
		t.Fatal(err)
	}
	if c.Items != 2 || c.Files != 3 || c.Withheld != 1 || c.By != "ana" || c.Reason != "court order 7" {
		t.Errorf("archive %+v", c)
	}
	if bytes.Contains(archive, []byte("locked words")) {
		t.Error("locked content is in an archive of somebody who may not see it")
	}
	_, links, err := v.Chain(t.Context(), gone.ID)
	if err != nil || links[len(links)-1].Action != store.LinkExported {
		t.Errorf("the export is not on the chain: %+v, %v", links, err)
	}
	if c, err := verify(v.pack(t, evidence.Reader{Name: "root", Unlock: true}), ""); err != nil || c.Items != 3 || c.Withheld != 0 {
		t.Errorf("unlocked archive %+v, %v", c, err)
	}
}

// Whatever is changed in an archive shows.
func TestArchiveDamage(t *testing.T) {
	v := open(t, evidence.Default())
	e := v.put(t, 1, "some words", hate)
	archive := v.pack(t, evidence.Reader{Name: "ana"})
	if _, err := verify(archive, v.key.Public()); err != nil {
		t.Fatal(err)
	}
	content, record := "items/"+e.ID+"/content.txt", "items/"+e.ID+"/record.json"
	replace := func(name, from, to string) func(map[string]string) {
		return func(m map[string]string) {
			if !strings.Contains(m[name], from) {
				t.Fatalf("%s has no %q", name, from)
			}
			m[name] = strings.Replace(m[name], from, to, 1)
		}
	}
	for what, damage := range map[string]func(map[string]string){
		"content changed":      replace(content, "some", "same"),
		"content removed":      func(m map[string]string) { delete(m, content) },
		"record changed":       replace(record, `"player_id": "ann"`, `"player_id": "bob"`),
		"link changed":         replace(record, `"actor": "ana"`, `"actor": "eve"`),
		"file added":           func(m map[string]string) { m["items/x"] = "y" },
		"manifest changed":     replace("manifest.json", "court order 7", "court order 8"),
		"manifest removed":     func(m map[string]string) { delete(m, "manifest.json") },
		"signature removed":    func(m map[string]string) { delete(m, "manifest.sig") },
		"signature of another": func(m map[string]string) { m["manifest.sig"] = "AAAA\n" },
	} {
		if _, err := verify(rewrite(t, archive, damage), ""); !errors.Is(err, evidence.ErrArchive) {
			t.Errorf("%s: %v, want ErrArchive", what, err)
		}
	}
	if _, err := verify(archive, audit.NewKey([32]byte{8}).Public()); !errors.Is(err, evidence.ErrArchive) {
		t.Errorf("of another installation: %v, want ErrArchive", err)
	}
	if _, err := verify([]byte("no zip"), ""); !errors.Is(err, evidence.ErrArchive) {
		t.Errorf("no archive: %v, want ErrArchive", err)
	}
}

// rewrite makes a zip anew with its files changed.
func rewrite(t *testing.T, archive []byte, change func(map[string]string)) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	change(files)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTooMany(t *testing.T) {
	v := open(t, evidence.Default())
	if _, err := v.Select(t.Context(), make([]string, evidence.MaxExport+1), store.EvidenceQuery{}); !errors.Is(err, evidence.ErrTooMany) {
		t.Errorf("Select of too many: %v", err)
	}
	if _, err := v.Select(t.Context(), []string{"none"}, store.EvidenceQuery{}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Select of what there is not: %v", err)
	}
}

func TestValidateNamesEveryKey(t *testing.T) {
	cfg := evidence.Config{Keep: []string{"all"}, Retention: map[string]int{"hat": 1, "spam": -1}, DecisionContent: -1}
	err := cfg.Validate()
	for _, key := range []string{"evidence.keep", "evidence.retention.hat", "evidence.retention.spam", "evidence.decision_content", "evidence.max_file"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("Validate() = %v, want it to name %s", err, key)
		}
	}
	cfg = evidence.Default()
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
}

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// The hashes of links that are stored were made of what encoding/json writes: ours is
// that, whatever is in a text.
func TestLinksAreCanonicalJSON(t *testing.T) {
	for _, text := range []string{
		"", "match-1", `say "hi" \ there`, "<b>&amp;</b>", "a\x00b\tc\r\n\x7f\x1f", "né 你好 😀", "bad \xff\xc3 bytes", "line\u2028sep\u2029", strings.Repeat("x", 3000),
	} {
		e := Evidence{
			ID: text + "id", App: "game", Request: "r", Case: "c", Kind: "text", MIME: text, SHA256: "00", Bytes: -7, Category: "hate", SubLabel: text,
			Severity: 3, Suggestion: "block", Locked: text == "", Created: time.UnixMilli(1_790_000_000_123),
		}
		e.Scene = "s"
		l := FirstLink(&e)
		detail := asJSON(t, struct {
			App        string `json:"app"`
			Bytes      int64  `json:"bytes"`
			Case       string `json:"case"`
			Category   string `json:"category"`
			Kind       string `json:"kind"`
			Locked     bool   `json:"locked"`
			MIME       string `json:"mime"`
			Request    string `json:"request"`
			Scene      string `json:"scene"`
			Severity   int    `json:"severity"`
			SHA256     string `json:"sha256"`
			SubLabel   string `json:"sub_label"`
			Suggestion string `json:"suggestion"`
		}{"game", -7, "c", "hate", "text", text == "", text, "r", "s", 3, "00", text, "block"})
		if l.Detail != detail {
			t.Errorf("%q: detail is\n%s\nwant\n%s", text, l.Detail, detail)
		}
		said := asJSON(t, struct {
			Action   string `json:"action"`
			Actor    string `json:"actor"`
			Detail   string `json:"detail"`
			Evidence string `json:"evidence"`
			Seq      int64  `json:"seq"`
			TS       int64  `json:"ts"`
		}{LinkTaken, "system", detail, e.ID, 1, 1_790_000_000_123})
		sum := sha256.Sum256([]byte("portcullis-evidence-v1\n00\n" + said))
		if want := hex.EncodeToString(sum[:]); l.Hash != want {
			t.Errorf("%q: hash is %s, want %s", text, l.Hash, want)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func BenchmarkFirstLink(b *testing.B) {
	e := Evidence{
		ID: "0198c1f3-7b1e-7000-8000-000000000000", App: "game", Request: "0198c1f3-7b1e-7000-8000-000000000001", Scene: "match-7", Kind: "text",
		MIME: "text/plain; charset=utf-8", SHA256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", Bytes: 40, Category: "harassment", SubLabel: "insult",
		Severity: 3, Suggestion: "block", Created: time.UnixMilli(1_790_000_000_123),
	}
	b.ReportAllocs()
	for b.Loop() {
		FirstLink(&e)
	}
}

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ErrChainBroken says that the chain of an evidence is not what was written.
var ErrChainBroken = errors.New("store: the evidence's chain is broken")

// taken is the detail of a first link: what never changes of an item. The player is
// not in it, so that an erasure leaves the chain whole.
type taken struct {
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
}

// FirstLink is the first link of an item's chain: a function of the item alone.
func FirstLink(e *Evidence) (EvidenceLink, error) {
	detail, err := canonical(taken{
		App: string(e.App), Bytes: e.Bytes, Case: string(e.Case), Category: string(e.Category), Kind: string(e.Kind), Locked: e.Locked, MIME: e.MIME,
		Request: string(e.Request), Scene: string(e.Scene), Severity: e.Severity, SHA256: e.SHA256, SubLabel: e.SubLabel, Suggestion: string(e.Suggestion),
	})
	if err != nil {
		return EvidenceLink{}, err
	}
	l := EvidenceLink{
		Evidence: e.ID, Seq: 1, TS: e.Created.UTC().Truncate(time.Millisecond), Actor: "system", Action: LinkTaken, Detail: string(detail), Prev: e.SHA256,
	}
	l.Hash, err = l.Sum()
	return l, err
}

// Sum is the hash of a link: of the one before it and of what it says.
func (l *EvidenceLink) Sum() (string, error) {
	text, err := canonical(struct {
		Action   string `json:"action"`
		Actor    string `json:"actor"`
		Detail   string `json:"detail"`
		Evidence string `json:"evidence"`
		Seq      int64  `json:"seq"`
		TS       int64  `json:"ts"`
	}{l.Action, l.Actor, l.Detail, l.Evidence, l.Seq, l.TS.UnixMilli()})
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "portcullis-evidence-v1\n%s\n%s", l.Prev, text)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// VerifyChain returns ErrChainBroken, naming the first link that does not follow
// from the content and the links before it. head is the hash that the last one must
// have; "" is not compared.
func VerifyChain(contentSHA256, head string, links []EvidenceLink) error {
	last := contentSHA256
	for i := range links {
		want, err := links[i].Sum()
		if err != nil {
			return err
		}
		if links[i].Seq != int64(i)+1 || links[i].Prev != last || links[i].Hash != want {
			return fmt.Errorf("%w at link %d", ErrChainBroken, i+1)
		}
		last = links[i].Hash
	}
	if head != "" && last != head {
		return fmt.Errorf("%w: it ends after link %d, which is not its head", ErrChainBroken, len(links))
	}
	return nil
}

// canonical is JSON with members in the order given, which is sorted by name, no
// spaces and no HTML escapes.
func canonical(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

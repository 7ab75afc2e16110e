package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// ErrChainBroken says that the chain of an evidence is not what was written.
var ErrChainBroken = errors.New("store: the evidence's chain is broken")

// FirstLink is the first link of an item's chain: a function of the item alone. Its
// detail is what never changes of the item; the player is not in it, so that an erasure
// leaves the chain whole. A flagged verdict waits for this: it goes without reflection.
func FirstLink(e *Evidence) EvidenceLink {
	m := members{buf: make([]byte, 0, 512)}
	m.text("app", string(e.App))
	m.number("bytes", e.Bytes)
	m.text("case", string(e.Case))
	m.text("category", string(e.Category))
	m.text("kind", string(e.Kind))
	m.boolean("locked", e.Locked)
	m.text("mime", e.MIME)
	m.text("request", string(e.Request))
	m.text("scene", string(e.Scene))
	m.number("severity", int64(e.Severity))
	m.text("sha256", e.SHA256)
	m.text("sub_label", e.SubLabel)
	m.text("suggestion", string(e.Suggestion))
	l := EvidenceLink{
		Evidence: e.ID, Seq: 1, TS: e.Created.UTC().Truncate(time.Millisecond), Actor: "system", Action: LinkTaken, Detail: string(m.end()), Prev: e.SHA256,
	}
	l.Hash = l.Sum()
	return l
}

// Sum is the hash of a link: of the one before it and of what it says.
func (l *EvidenceLink) Sum() string {
	m := members{buf: make([]byte, 0, 1024)}
	m.buf = append(append(append(m.buf, "portcullis-evidence-v1\n"...), l.Prev...), '\n')
	m.text("action", l.Action)
	m.text("actor", l.Actor)
	m.text("detail", l.Detail)
	m.text("evidence", l.Evidence)
	m.number("seq", l.Seq)
	m.number("ts", l.TS.UnixMilli())
	sum := sha256.Sum256(m.end())
	return hex.EncodeToString(sum[:])
}

// VerifyChain returns ErrChainBroken, naming the first link that does not follow
// from the content and the links before it. head is the hash that the last one must
// have; "" is not compared.
func VerifyChain(contentSHA256, head string, links []EvidenceLink) error {
	last := contentSHA256
	for i := range links {
		want := links[i].Sum()
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

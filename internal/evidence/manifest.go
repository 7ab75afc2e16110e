package evidence

import (
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// Names in an archive.
const (
	manifestName  = "manifest.json"
	signatureName = "manifest.sig"
	format        = "portcullis-evidence-1"
)

// Signer signs as this installation does. The key and the signature are base64.
type Signer interface {
	Sign(message []byte) (key, signature string)
}

// manifest is what an archive says of itself. It is signed as it lies in the archive.
type manifest struct {
	Format   string         `json:"format"`
	Made     time.Time      `json:"made_at"`
	By       string         `json:"made_by"`
	Reason   string         `json:"reason"`
	Key      string         `json:"public_key"`
	Files    []fileEntry    `json:"files"`
	Items    []itemEntry    `json:"items"`
	Withheld []withheldItem `json:"withheld"`
}

type fileEntry struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// itemEntry ties an item's files to its chain. Content is "" where it was removed.
type itemEntry struct {
	ID       string `json:"evidence_id"`
	SHA256   string `json:"sha256"`
	Content  string `json:"content,omitempty"`
	Log      string `json:"log"`
	HeadSeq  int64  `json:"chain_length"`
	HeadHash string `json:"chain_head"`
}

// withheldItem was asked for and is not in the archive.
type withheldItem struct {
	ID  string `json:"evidence_id"`
	Why string `json:"why"`
}

// itemRecord is an item with its links, as the archive has it.
type itemRecord struct {
	ID         string       `json:"evidence_id"`
	App        string       `json:"app_id"`
	Request    string       `json:"request_id"`
	Case       string       `json:"case_id"`
	Scene      string       `json:"scene_id"`
	Player     string       `json:"player_id"`
	Kind       string       `json:"kind"`
	MIME       string       `json:"mime"`
	SHA256     string       `json:"sha256"`
	Bytes      int64        `json:"bytes"`
	Category   string       `json:"category"`
	SubLabel   string       `json:"sub_label"`
	Severity   int          `json:"severity"`
	Suggestion string       `json:"suggestion"`
	Locked     bool         `json:"locked"`
	Created    time.Time    `json:"created_at"`
	Expires    time.Time    `json:"expires_at,omitzero"`
	Removed    time.Time    `json:"removed_at,omitzero"`
	Links      []linkRecord `json:"links"`
}

type linkRecord struct {
	Seq    int64  `json:"seq"`
	TS     int64  `json:"ts"` // epoch ms, as it is hashed
	Actor  string `json:"actor"`
	Action string `json:"action"`
	Detail string `json:"detail"`
	Prev   string `json:"prev"`
	Hash   string `json:"hash"`
}

func recordOf(e *store.Evidence, links []store.EvidenceLink) itemRecord {
	r := itemRecord{
		ID: e.ID, App: string(e.App), Request: string(e.Request), Case: string(e.Case), Scene: string(e.Scene), Player: string(e.Player),
		Kind: string(e.Kind), MIME: e.MIME, SHA256: e.SHA256, Bytes: e.Bytes, Category: string(e.Category), SubLabel: e.SubLabel,
		Severity: e.Severity, Suggestion: string(e.Suggestion), Locked: e.Locked, Created: e.Created, Expires: e.Expires, Removed: e.Removed,
	}
	for _, l := range links {
		r.Links = append(r.Links, linkRecord{l.Seq, l.TS.UnixMilli(), l.Actor, l.Action, l.Detail, l.Prev, l.Hash})
	}
	return r
}

// chain gives the links back.
func (r *itemRecord) chain() []store.EvidenceLink {
	links := make([]store.EvidenceLink, len(r.Links))
	for i, l := range r.Links {
		links[i] = store.EvidenceLink{
			Evidence: r.ID, Seq: l.Seq, TS: time.UnixMilli(l.TS).UTC(), Actor: l.Actor, Action: l.Action, Detail: l.Detail, Prev: l.Prev, Hash: l.Hash,
		}
	}
	return links
}

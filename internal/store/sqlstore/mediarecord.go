package sqlstore

import (
	"encoding/json"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// The stored form of what is known of media; see record.go.
type (
	factsRecord struct {
		Format     string       `json:"format"`
		Width      int          `json:"width,omitempty"`
		Height     int          `json:"height,omitempty"`
		Frames     int          `json:"frames,omitempty"`
		DurationMS int64        `json:"duration_ms,omitempty"`
		Trailing   int          `json:"trailing,omitempty"`
		SHA256     []byte       `json:"sha256"`
		PDQ        []byte       `json:"pdq,omitempty"`
		PDQQuality int          `json:"pdq_quality,omitempty"`
		Text       []lineRecord `json:"text,omitempty"`
		Codes      []codeRecord `json:"codes,omitempty"`
		Sound      *soundRecord `json:"sound,omitempty"`
	}
	// soundRecord is of a sound; none of it is there for a picture.
	soundRecord struct {
		SampleRate int             `json:"sample_rate,omitempty"`
		Channels   int             `json:"channels,omitempty"`
		Speech     []stretchRecord `json:"speech,omitempty"`
		Transcript []spokenRecord  `json:"transcript,omitempty"`
		Heard      string          `json:"heard,omitempty"`
		Unreliable bool            `json:"unreliable,omitempty"`
		Anomalies  []anomalyRecord `json:"anomalies,omitempty"`
		Peaks      []byte          `json:"peaks,omitempty"`
		ClipMS     int64           `json:"clip,omitempty"`
	}
	stretchRecord struct {
		FromMS  int64 `json:"from"`
		ToMS    int64 `json:"to"`
		Speaker int   `json:"speaker,omitempty"`
	}
	spokenRecord struct {
		Text       string  `json:"text"`
		FromMS     int64   `json:"from"`
		ToMS       int64   `json:"to"`
		Confidence float64 `json:"confidence"`
		Doubted    bool    `json:"doubted,omitempty"`
		Glued      bool    `json:"glued,omitempty"`
		Listed     bool    `json:"listed,omitempty"`
	}
	anomalyRecord struct {
		Kind       string  `json:"kind"`
		FromMS     int64   `json:"from"`
		ToMS       int64   `json:"to"`
		Measure    string  `json:"measure"`
		Value      float64 `json:"value"`
		Threshold  float64 `json:"threshold"`
		Confidence float64 `json:"confidence"`
	}
	lineRecord struct {
		Text       string        `json:"text"`
		Confidence float64       `json:"confidence"`
		Place      engines.Place `json:"place"`
	}
	codeRecord struct {
		Kind    string        `json:"kind"`
		Content string        `json:"content"`
		Place   engines.Place `json:"place"`
	}
	pendingMediaRecord struct {
		Use    engines.Use `json:"use"`
		Type   string      `json:"type,omitempty"`
		SHA256 string      `json:"sha256"`
	}
)

// encodeFacts is "" for none.
func encodeFacts(f *engines.MediaFacts) (string, error) {
	if f == nil {
		return "", nil
	}
	r := factsRecord{
		Format: f.Format, Width: f.Width, Height: f.Height, Frames: f.Frames, DurationMS: f.DurationMS, Trailing: f.Trailing,
		SHA256: f.SHA256[:], PDQQuality: f.PDQQuality,
	}
	if f.PDQ != [32]byte{} {
		r.PDQ = f.PDQ[:]
	}
	for _, l := range f.Text {
		r.Text = append(r.Text, lineRecord(l))
	}
	for _, c := range f.Codes {
		r.Codes = append(r.Codes, codeRecord(c))
	}
	r.Sound = soundRecordOf(f)
	b, err := json.Marshal(r)
	return string(b), err
}

func decodeFacts(s string) (*engines.MediaFacts, error) {
	if s == "" {
		return nil, nil //nolint:nilnil // none is known
	}
	var r factsRecord
	if err := json.Unmarshal([]byte(s), &r); err != nil {
		return nil, err
	}
	f := &engines.MediaFacts{
		Format: r.Format, Width: r.Width, Height: r.Height, Frames: r.Frames, DurationMS: r.DurationMS, Trailing: r.Trailing, PDQQuality: r.PDQQuality,
	}
	copy(f.SHA256[:], r.SHA256)
	copy(f.PDQ[:], r.PDQ)
	for _, l := range r.Text {
		f.Text = append(f.Text, engines.TextLine(l))
	}
	for _, c := range r.Codes {
		f.Codes = append(f.Codes, engines.Code(c))
	}
	r.Sound.into(f)
	return f, nil
}

func encodePendingMedia(m *store.PendingMedia) (text, blob string, err error) {
	if m == nil {
		return "", "", nil
	}
	b, err := json.Marshal(pendingMediaRecord(*m))
	return string(b), m.SHA256, err
}

func decodePendingMedia(s string) (*store.PendingMedia, error) {
	if s == "" {
		return nil, nil //nolint:nilnil // it has none
	}
	var r pendingMediaRecord
	if err := json.Unmarshal([]byte(s), &r); err != nil {
		return nil, err
	}
	m := store.PendingMedia(r)
	return &m, nil
}

package sqlstore

import (
	"math"

	"github.com/portcullis-gg/portcullis/engines"
)

// soundRecordOf is nil for what is no sound.
func soundRecordOf(f *engines.MediaFacts) *soundRecord {
	if f.SampleRate == 0 {
		return nil
	}
	r := &soundRecord{SampleRate: f.SampleRate, Channels: f.Channels, Heard: f.Heard, Unreliable: f.Unreliable, Peaks: f.Peaks, ClipMS: f.ClipMS}
	for _, s := range f.Speech {
		r.Speech = append(r.Speech, stretchRecord{s.FromMS, s.ToMS, s.Speaker}) // never the voice
	}
	for _, w := range f.Transcript {
		r.Transcript = append(r.Transcript, spokenRecord(w))
	}
	for _, a := range f.Anomalies {
		a.Value, a.Threshold = storable(a.Value), storable(a.Threshold)
		r.Anomalies = append(r.Anomalies, anomalyRecord(a))
	}
	return r
}

// storable keeps a measure within JSON: digital silence has -Inf LUFS.
func storable(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return max(-999, min(999_999, x))
}

func (r *soundRecord) into(f *engines.MediaFacts) {
	if r == nil {
		return
	}
	f.SampleRate, f.Channels, f.Heard, f.Unreliable, f.Peaks = r.SampleRate, r.Channels, r.Heard, r.Unreliable, r.Peaks
	f.ClipMS = r.ClipMS
	for _, s := range r.Speech {
		f.Speech = append(f.Speech, engines.Stretch{FromMS: s.FromMS, ToMS: s.ToMS, Speaker: s.Speaker})
	}
	for _, w := range r.Transcript {
		f.Transcript = append(f.Transcript, engines.Spoken(w))
	}
	for _, a := range r.Anomalies {
		f.Anomalies = append(f.Anomalies, engines.Anomaly(a))
	}
}

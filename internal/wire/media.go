package wire

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// tell is how much is told of media: a list of cases has no room for every word of a
// quarter of an hour.
type tell struct {
	words bool // the words of a sound, each with its time
	peaks bool // its waveform
}

// appendMedia appends what was learned of a picture or a sound.
func appendMedia(dst []byte, f *engines.MediaFacts, t tell) []byte {
	dst = appendString(append(dst, `{"format":`...), f.Format)
	sound := f.SampleRate > 0
	if !sound {
		dst = Num(Num(Num(dst, "width", int64(f.Width)), "height", int64(f.Height)), "frames", int64(f.Frames))
	}
	if f.DurationMS > 0 || sound {
		dst = Num(dst, "duration_ms", f.DurationMS)
	}
	if sound {
		dst = Num(Num(dst, "channels", int64(f.Channels)), "sample_rate", int64(f.SampleRate))
	}
	dst = Str(dst, "sha256", hex.EncodeToString(f.SHA256[:]))
	if f.PDQ != [32]byte{} || f.PDQQuality > 0 {
		dst = Num(Str(dst, "pdq", hex.EncodeToString(f.PDQ[:])), "pdq_quality", int64(f.PDQQuality))
	}
	if f.Trailing > 0 {
		dst = Num(dst, "trailing_bytes", int64(f.Trailing))
	}
	if f.ClipMS > 0 {
		dst = Num(dst, "clip_from_ms", f.ClipMS)
	}
	if sound {
		return append(appendHeard(dst, f, t), '}')
	}
	dst = List(dst, "ocr", len(f.Text), func(dst []byte, i int) []byte {
		l := &f.Text[i]
		return appendPlace(Real(Str(dst, "text", l.Text), "confidence", l.Confidence), &l.Place)
	})
	dst = List(dst, "qr", len(f.Codes), func(dst []byte, i int) []byte {
		c := &f.Codes[i]
		return appendPlace(Str(Str(dst, "kind", c.Kind), "content", strings.ToValidUTF8(c.Content, "\ufffd")), &c.Place)
	})
	return append(dst, '}')
}

// appendSpoken appends a word of a transcript.
func appendSpoken(dst []byte, w *engines.Spoken) []byte {
	dst = Real(Num(Num(Str(dst, "text", w.Text), "at_ms", w.FromMS), "end_ms", w.ToMS), "confidence", w.Confidence)
	if w.Glued {
		dst = Flag(dst, "glued", true)
	}
	if w.Doubted {
		dst = Flag(dst, "doubted", true)
	}
	if w.Listed {
		dst = Flag(dst, "listed", true)
	}
	return dst
}

// appendHeard appends what is heard in a sound.
func appendHeard(dst []byte, f *engines.MediaFacts, t tell) []byte {
	speakers := 0
	for i := range f.Speech {
		speakers = max(speakers, f.Speech[i].Speaker)
	}
	if t.words {
		dst = List(dst, "transcript", len(f.Transcript), func(dst []byte, i int) []byte { return appendSpoken(dst, &f.Transcript[i]) })
		dst = List(dst, "speech", len(f.Speech), func(dst []byte, i int) []byte {
			s := &f.Speech[i]
			dst = Num(Num(dst, "at_ms", s.FromMS), "end_ms", s.ToMS)
			if s.Speaker > 0 {
				dst = Num(dst, "speaker", int64(s.Speaker))
			}
			return dst
		})
		dst = List(dst, "anomalies", len(f.Anomalies), func(dst []byte, i int) []byte {
			a := &f.Anomalies[i]
			dst = Num(Num(Str(dst, "kind", a.Kind), "at_ms", a.FromMS), "end_ms", a.ToMS)
			return Real(Real(Real(Str(dst, "measure", a.Measure), "value", finite(a.Value)), "threshold", finite(a.Threshold)), "confidence", a.Confidence)
		})
	}
	dst = Some(dst, "spoken_language", f.Heard)
	if len(f.Transcript) > 0 || f.Unreliable {
		dst = Flag(dst, "transcript_reliable", !f.Unreliable)
	}
	if speakers > 0 {
		dst = Num(dst, "speakers", int64(speakers))
	}
	if t.peaks {
		dst = append(dst, `,"peaks":[`...)
		for i, p := range f.Peaks {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = strconv.AppendUint(dst, uint64(p), 10)
		}
		dst = append(dst, ']')
	}
	return dst
}

// finite keeps what was measured within JSON: digital silence has -Inf LUFS.
func finite(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return max(-999, min(999_999, x))
}

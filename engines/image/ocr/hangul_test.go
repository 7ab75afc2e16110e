package ocr

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/image/ocr/seam"
)

func marked(sure float64, at ...any) *reading {
	r := &reading{}
	for i := 0; i < len(at); i += 2 {
		sign, _ := at[i].(string)
		step, _ := at[i+1].(int)
		r.marks = append(r.marks, mark{sign, step, sure})
		r.end = float64(step) + 3
	}
	return r
}

func signs(r *reading) string {
	var text strings.Builder
	for _, m := range r.marks {
		text.WriteString(m.sign)
	}
	return text.String()
}

// TestSpaced: spaces and signs stand where they are seen, none twice, and what is too far from
// the rest of the line is a line of its own.
func TestSpaced(t *testing.T) {
	space, colon := seam.Seen{Space: 0.9}, seam.Seen{Space: 0.6, Sign: [3]float64{0.8, 0.1, 0}}
	for name, c := range map[string]struct {
		r     *reading
		seen  []seam.Seen
		want  string
		parts []string
	}{
		"a space":              {marked(1, "종", 2, "달", 6, "새", 10, "님", 15), []seam.Seen{2: space, 3: {}}, "종달새 님", nil},
		"a colon":              {marked(1, "완", 2, "료", 6, "숲", 13), []seam.Seen{{}, colon, {}}, "완료: 숲", nil},
		"at the end":           {marked(1, "완", 2, "료", 6), []seam.Seen{{}, {Sign: [3]float64{0, 0, 0.7}}}, "완료.", nil},
		"a colon that is read": {marked(1, "완", 2, ":", 6, "숲", 13), []seam.Seen{colon, colon, {}}, "완 : 숲", nil},
		"two lines":            {marked(1, "가", 2, "방", 6, "열", 19, "쇠", 23), []seam.Seen{{}, space, {}, {}}, "가방 열쇠", []string{"가방", "열쇠"}},
	} {
		text, parts := spaced(c.r, c.seen, 9)
		var texts []string
		for _, p := range parts {
			texts = append(texts, p.text)
		}
		if text != c.want || !slices.Equal(texts, c.parts) {
			t.Errorf("%s: %q %q, want %q %q", name, text, texts, c.want, c.parts)
		}
	}
	_, parts := spaced(marked(1, "가", 2, "방", 6, "열", 19, "쇠", 23), make([]seam.Seen, 4), 9)
	if len(parts) != 2 || parts[0].from != 0 || parts[0].to != parts[1].from || parts[1].to != 1 || math.Abs(parts[0].to-0.5) > 0.01 {
		t.Errorf("parts %+v", parts)
	}
}

// TestLettered: what the other network is surer of takes the place of what is unsure where it
// stands, as long as it is a letter of Latin or a digit.
func TestLettered(t *testing.T) {
	for name, c := range map[string]struct {
		sure  float64
		other *reading
		want  string
	}{
		"surer":           {0.5, marked(0.9, "E", 4, "x", 28), "E키를"},
		"less sure":       {0.7, marked(0.6, "E", 4, "x", 28), "ㅌ키를"},
		"as good as sure": {0.97, marked(0.99, "E", 4, "x", 28), "ㅌ키를"},
		"no letter":       {0.5, marked(0.9, "引", 4, "x", 28), "ㅌ키를"},
		"elsewhere":       {0.5, marked(0.9, "E", 8, "x", 28), "ㅌ키를"},
		"never read":      {0.5, &reading{}, "ㅌ키를"},
	} {
		r := marked(c.sure, "ㅌ", 2, "키", 7, "를", 12)
		if c.other.end > 0 {
			c.other.end = 2 * r.end // its steps are half as long
		}
		lettered(r, *c.other)
		got := signs(r)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestTrim: what was read beside a line goes, what is unsure within it stays, and so does a
// line that is unsure throughout.
func TestTrim(t *testing.T) {
	for want, sures := range map[string][]float64{
		"cde":  {0.2, 0.3, 1, 0.2, 0.9, 0.3, 0.1},          // unsure ends
		"gh":   {0.45, 0.23, 0.45, 0.84, 0.73, 0.22, 1, 1}, // as many as are no letters, though some are sure
		"abcd": {0.5, 0.9, 1, 0.5},                         // one or two that are unsure
		"ab":   {0.1, 0.2},
	} {
		r := &reading{}
		for i, s := range sures {
			r.marks = append(r.marks, mark{string(rune('a' + i)), i, s})
		}
		r.trim()
		got := signs(r)
		if got != want {
			t.Errorf("%v: %q, want %q", sures, got, want)
		}
		if got != "ab" && (r.text != want || r.confidence < 0.7) {
			t.Errorf("%v: %q %.2f", sures, r.text, r.confidence)
		}
	}
	(&reading{}).trim()
}

// TestSparse: a digit alone in a line that holds more is not all of it.
func TestSparse(t *testing.T) {
	at := rect{along: point{1, 0}, width: 100, height: 30}
	for text, want := range map[string]bool{"5": true, "LEVEL": false, "等級": false, "": true} {
		if got := (&line{at: at, reading: reading{text: text}}).sparse(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestGapsOf: as many seams as signs, of nothing too, and with nothing known of the line.
func TestGapsOf(t *testing.T) {
	b := &bitmap{w: 60, h: 20, pix: make([]byte, 3*60*20)}
	at := rect{middle: point{30, 10}, along: point{1, 0}, width: 50, height: 16}
	for _, r := range []*reading{{}, marked(1, "가", 2), marked(1, "가", 2, "나", 7, "다", 90)} {
		if got := gapsOf(b, at, *r, reading{}); len(got) != len(r.marks) {
			t.Errorf("%d seams of %d signs", len(got), len(r.marks))
		}
	}
}

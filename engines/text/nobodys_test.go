package text

import (
	"strconv"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// personalIn is the highest confidence of personal data in a text.
func personalIn(t *testing.T, e *Engine, text, language string) float64 {
	t.Helper()
	best := 0.0
	for _, g := range look(t, e, text, language) {
		if g.Category == engines.Privacy && g.Source != engines.SourceModel {
			best = max(best, g.Confidence)
		}
	}
	return best
}

// TestNobodysNumbers: labels, service ranges and lines where help is had make a number
// nobody's; without them it is somebody's.
func TestNobodysNumbers(t *testing.T) {
	e := shared(t)
	for _, c := range []struct {
		language, text string
		personal       bool
	}{
		{"en", "ticket number 5550138842 still no answer", false},
		{"en", "call 1-800-555-0199, it is free", false},
		{"en", "text me at 212-555-0142", true},
		{"en", "call 1-800-555-0199 ext 12, ask for rosie", true},
		{"de", "ruf die 0800 1234567 an, kostet nichts", false},
		{"de", "meine nummer ist 0151 23456789", true},
		{"de", "sendungsnummer 340434188196 seit montag nicht bewegt", false},
		{"fr", "appelle le 0 800 123 456, c'est gratuit", false},
		{"fr", "mon numéro 06 12 34 56 78", true},
		{"it", "il telefono amico è 02 2327 2328, chiama", false},
		{"it", "chiamami al 347 123 4567", true},
		{"es", "llama al 900 123 456, atienden siempre", false},
		{"pt", "o protocolo 20260311884512 ainda aberto", false},
		{"ru", "позвони 8 800 555 35 36, там ответят", false},
		{"ru", "мой номер 8 916 123 45 67", true},
		{"ja", "受付番号880012345678で待ってる", false},
		{"ja", "フリーダイヤル0120-123-456にかけて", false},
		{"ja", "俺の番号090-1234-5678", true},
		{"ja", "注文番号は俺の携帯と同じ090-1234-5678", true},
		{"ko", "접수번호 8801234567890 아직 답 없음", false},
		{"ko", "내 번호 010-1234-5678", true},
		{"zh", "工单号881234567890没人理", false},
		{"hi", "ऑर्डर नंबर 881234567890 कब आएगा", false},
		{"tr", "sipariş numarası 5551234567 hala gelmedi", false},
		{"th", "เบอร์ผม 081-234-5678", true},
		{"th", "รหัสกิจกรรม WINTER-2028-1177 ใช้ได้เลย", false},
		{"id", "kode event LEBARAN-2028-551 masih bisa", false},
		{"id", "hubungi aku di 0812-3456-7890", true},
		{"en", "event code SPRING-2028-3311 still works", false},
		{"en", "my password is hunter2017", true},
	} {
		if got := personalIn(t, e, c.text, c.language); (got >= 0.6) != c.personal {
			t.Errorf("%s %q: %.2f, want personal %v", c.language, c.text, got, c.personal)
		}
	}
}

// TestTollFreeData: every line of the file has a country, a prefix and a range.
func TestTollFreeData(t *testing.T) {
	lines := 0
	for line := range strings.Lines(tollFreeData) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		lines++
		for _, digits := range f[:min(4, len(f))] {
			if _, err := strconv.Atoi(digits); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
	}
	if got := len(tollFrees()); got != lines || lines < 80 {
		t.Errorf("%d ranges of %d lines", got, lines)
	}
	for _, r := range tollFrees() {
		if r.least > r.most || len(r.prefix) >= r.least+1 {
			t.Errorf("%+v", r)
		}
	}
}

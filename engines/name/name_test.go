package name_test

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/name"
)

func reasons(text string, ask *engines.Naming) map[name.Reason]bool {
	out := map[name.Reason]bool{}
	for _, f := range name.Look(text, ask) {
		if f.Confidence >= 0.55 { // review, at the usual strictness
			out[f.Reason] = true
		}
	}
	return out
}

// TestNames measures on names written for the purpose: testdata/names.txt has good ones
// and, of each kind, bad ones.
func TestNames(t *testing.T) {
	file, err := os.Open("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	kind := ""
	found, missed, wrong, good := 0, 0, 0, 0
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
			continue
		case strings.HasPrefix(line, "== "):
			kind = line[3:]
			continue
		}
		got := reasons(line, nil)
		switch {
		case kind == "good":
			good++
			if len(got) > 0 {
				wrong++
				t.Logf("good name %q: %v", line, got)
			}
		case got[name.Reason(kind)]:
			found++
		default:
			missed++
			t.Logf("%s: %q: %v", kind, line, got)
		}
	}
	recall, precision := float64(found)/float64(found+missed), float64(found)/float64(found+wrong)
	t.Logf("recall %.3f of %d bad names, precision %.3f, %d of %d good names objected to", recall, found+missed, precision, wrong, good)
	if recall < 0.95 || precision < 0.97 {
		t.Errorf("recall %.3f, precision %.3f; want 0.95 and 0.97 or better", recall, precision)
	}
}

func TestTaken(t *testing.T) {
	ask := &engines.Naming{Taken: []string{"Kevin", "DragonSlayer", "Иван", "Smorc"}}
	for text, want := range map[string]name.Reason{
		"Kevin": name.Taken, "KEVIN": name.LooksTaken, "Kevln": name.LooksTaken, "Kеvin": name.LooksTaken, "K.e.v.i.n": name.LooksTaken,
		"Drag0nSlayer": name.LooksTaken, "Dragon_SIayer": name.LooksTaken, "DragоnSlауer": name.LooksTaken, "иван": name.LooksTaken, "Srnorc": name.LooksTaken,
		"Kevin2": "", "Calvin": "", "Dragon": "", "Иваны": "", "Smurf": "",
	} {
		got := name.Reason("")
		for _, f := range name.Look(text, ask) {
			if f.Reason == name.Taken || f.Reason == name.LooksTaken {
				got = f.Reason
			}
		}
		if got != want {
			t.Errorf("Look(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestReserved(t *testing.T) {
	ask := &engines.Naming{Reserved: []string{"Gandalf", "龍王"}}
	for text, want := range map[string]engines.Span{
		"Gandalf": {End: 7}, "G4ndalf": {End: 7}, "Gandalf99": {End: 9}, "gandaIf": {End: 7}, "xX_Gandalf_Xx": {Start: 3, End: 10}, "The龍王": {}, "龍王": {End: 2}, "Gandalfina": {}, "Gand": {},
	} {
		got := engines.Span{}
		for _, f := range name.Look(text, ask) {
			if f.Reason == name.Reserved {
				got = f.Span
			}
		}
		if got != want {
			t.Errorf("Look(%q): reserved at %v, want %v", text, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	ask := &engines.Naming{Min: 2, Max: 4}
	for text, want := range map[string]name.Reason{
		"a": name.TooShort, "ab": "", "abcd": "", "abcde": name.TooLong,
		"e\u0301a": "", "👩‍👩‍👧a": "", "ก็": name.TooShort, "각각각각": "",
	} {
		got := reasons(text, ask)
		if want != "" && !got[want] || want == "" && (got[name.TooLong] || got[name.TooShort]) {
			t.Errorf("Look(%q) = %v, want %q", text, got, want)
		}
	}
}

func TestSuggest(t *testing.T) {
	got := name.Suggest("xX GM_Kevin", nil, []engines.Span{{Start: 0, End: 2}, {Start: 3, End: 5}}, "ja-JP")
	if len(got) != 2 || got[0].Reason != name.Words || got[1].Reason != name.Staff || got[1].Span != (engines.Span{Start: 3, End: 5}) || got[1].Language != "ja" {
		t.Errorf("Suggest = %+v", got)
	}
	for _, language := range []string{"en", "ja", "zh", "ko", "zh-Hant", "", "tlh"} {
		for _, s := range name.Suggest("\u200b", &engines.Naming{Min: 5}, []engines.Span{{Start: 0, End: 1}}, language) {
			if s.Text == "" {
				t.Errorf("no text for %s in %q", s.Reason, language)
			}
		}
	}
}

// FuzzLook: places are in the name, whatever it is.
func FuzzLook(f *testing.F) {
	for _, s := range []string{"GM_Kevin", "А dmin", "운영자", "[MOD] x", "\u200d", "a\u0301\u0301\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		for _, x := range name.Look(text, &engines.Naming{Taken: []string{text + "x", "admin"}}) {
			if x.Span.Start < 0 || x.Span.End > utf8.RuneCountInString(text) || x.Span.Start > x.Span.End {
				t.Errorf("Look(%q): place %v", text, x.Span)
			}
		}
	})
}

func BenchmarkLook(b *testing.B) {
	ask := &engines.Naming{Taken: []string{"Kevin", "DragonSlayer", "Someone"}}
	for b.Loop() {
		name.Look("xX_Dr4gonHunter_Xx", ask)
	}
}

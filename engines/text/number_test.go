package text

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/portcullis-gg/portcullis/configs/lexicons"
)

// numbered are places of everyday life and play in which a number stands.
var numbered = []string{
	"line number %s", "meet me in room %s", "error %s in module r", "port %s is open", "chapter %s of the book", "discord bot %s",
	"bus %s leaves at nine", "%s", "i have %s points now", "score %s by tea time", "qq %s", "my id is %s, add me",
	"Zimmer %s im zweiten Stock", "Linie %s fährt heute nicht", "la habitación %s está libre", "j'ai %s pièces", "комната %s на втором этаже", "部屋は%s号室です", "房间号%s",
}

// TestNumbersNeedCompany asks for every number and code that a built-in list has that
// it is found in no such place, whatever the list's language.
func TestNumbersNeedCompany(t *testing.T) {
	lists, err := readLists(lexicons.Files)
	if err != nil {
		t.Fatal(err)
	}
	e := listed(t)
	numbers := 0
	for _, l := range lists {
		for i := range l.Entries {
			for _, term := range l.Entries[i].all() {
				if digits, letters := composed(term.text); digits == 0 || letters > 1 {
					continue
				}
				numbers++
				for _, place := range numbered {
					text := fmt.Sprintf(place, term.text)
					for _, s := range look(t, e, text, "") {
						if s.Confidence >= 0.5 && strings.HasSuffix(s.Rule, "/"+term.text) {
							t.Errorf("%s: Inspect(%q) = %+v, want nothing", l.file, text, s)
						}
					}
				}
			}
		}
	}
	if numbers == 0 {
		t.Error("no number in any list, so nothing was tested")
	}
}

// TestNumbersInCompany are numbers beside what makes them bad.
func TestNumbersInCompany(t *testing.T) {
	for text, rule := range map[string]string{
		"5173交易平台便宜卖金币": "zh/5173", "8591賣幣，價格可談": "zh/8591", "那些426滾回去": "zh/426滾", "垃圾426一群": "zh/426",
		"1488 white pride": "en/1488", "hentai r34 of her": "en/r34", "ang 8080 mo talaga gago": "tl/8080", "ยกเลิก 112": "th/112",
	} {
		hit := false
		for _, s := range look(t, listed(t), text, "") {
			hit = hit || s.Confidence >= 0.5 && s.Rule == rule
		}
		if !hit {
			t.Errorf("Inspect(%q) = %+v, want %s", text, look(t, listed(t), text, ""), rule)
		}
	}
}

func TestBareNumbersAreRefused(t *testing.T) {
	const head = "language: en\nentries:\n  - {category: spam, severity: 3, terms: "
	for terms, want := range map[string]string{
		`["7741"]}`:                `line 3: term: "7741" is a bare number`,
		`["７７４１"]}`:                "is a bare number",
		`["77 41"]}`:               "is a bare number",
		`["7741"], raise_if: [r]}`: "is a bare number",
		`[q77]}`:                   `line 3: term: "q77" is a code`,
		`[q77], confidence: 0.6, raise_if: [sell]}`: "is a code",
		`[q77], confidence: 0.4, raise_if: [sell]}`: "",
		`["7741", q77], need_if: [sell]}`:           "",
		`[mp77, 卖7, 77]}`:                           `"77" is a bare number`,
		`[mp77, 7卖]}`:                               "",
	} {
		_, err := New(Config{Lexicons: fstest.MapFS{"list.yaml": {Data: []byte(head + terms + "\n")}}, NoRules: true, NoModel: true})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v, want it loaded", terms, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v, want %q", terms, err, want)
		}
	}
}

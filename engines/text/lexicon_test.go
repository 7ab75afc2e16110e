package text

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/configs/lexicons"
	"github.com/portcullis-gg/portcullis/engines"
)

// TestListsTogether runs the tests of every built-in list, with that list alone, as New
// does for those of an operator, and against all of them.
func TestListsTogether(t *testing.T) {
	lists, err := readLists(lexicons.Files)
	if err != nil {
		t.Fatal(err)
	}
	if err := testLists(lists); err != nil {
		t.Error(err)
	}
	// The model has its own tests.
	together, err := New(Config{NoModel: true})
	if err != nil {
		t.Fatal(err)
	}
	terms := 0
	seen := map[engines.Category]bool{}
	for _, l := range lists {
		if err := together.test(l); err != nil {
			t.Errorf("%s beside the others: %v", l.file, err)
		}
		if len(l.Entries) > 0 && (len(l.MustHit) == 0 || len(l.MustPass) == 0) { // rules.yaml holds words alone
			t.Errorf("%s has no tests", l.file)
		}
		for _, e := range l.Entries {
			terms += len(e.all())
			seen[e.Category] = true
		}
	}
	if terms < 1500 {
		t.Errorf("%d terms, want at least 1500", terms)
	}
	for _, c := range engines.TextCategories {
		if !seen[c] {
			t.Errorf("no entry of category %s", c)
		}
	}
}

// TestCustomLists are the ways in which other filters got word lists wrong.
func TestCustomLists(t *testing.T) {
	for _, c := range []struct {
		name, list, text, language string
		want                       []engines.Span
	}{
		{"allow covers the hit inside it", "[sex], match: substring}\nallow: [middlesex]", "meet at Middlesex station", "", nil},
		{"allow is not for the whole text", "[核], match: substring}\nallow: [核家族, 核心]", "核家族の話。核兵器の作り方", "ja", []engines.Span{{Start: 6, End: 7}}},
		{"shorter entry beside a longer one", "[文化, 文化大革命]}", "学习文化知识", "zh", []engines.Span{{Start: 2, End: 4}}},
		{"longest wins", "[文化, 文化大革命]}", "文化大革命", "zh", []engines.Span{{Start: 0, End: 5}}},
		{"digits repeat in the entry too", "[\"666\"]}", "room 666 is haunted", "", []engines.Span{{Start: 5, End: 8}}},
		{"more digits are another number", "[\"666\"]}", "room 6666", "", nil},
		{"stretched double letter", "[hello]}", "helllllo there", "", []engines.Span{{Start: 0, End: 8}}},
		{"collapsing makes no new word", "[hell]}", "the heel of my boot", "", nil},
		{"whole word", "[star], match: word}", "stars are out tonight", "", nil},
		{"inflected", "[star], match: word, inflect: true}", "stars are starring", "", []engines.Span{{Start: 0, End: 5}, {Start: 10, End: 18}}},
		{"prefix", "[star], match: prefix}", "starlight, restart", "", []engines.Span{{Start: 0, End: 4}}},
		{"substring", "[star], match: substring}", "restart", "", []engines.Span{{Start: 2, End: 6}}},
		{"final sigma and accent", "[μαλάκας]}", "είσαι ΜΑΛΑΚΑΣ", "el", []engines.Span{{Start: 6, End: 13}}},
		{"wrong sigma in the entry", "[βλάκασ]}", "τι ΒΛΆΚΑΣ και βλάκας", "el", []engines.Span{{Start: 3, End: 9}, {Start: 14, End: 20}}},
		{"turkish capital I", "[sıkıcı]}", "bu oyun SIKICI", "tr", []engines.Span{{Start: 8, End: 14}}},
		{"english in turkish", "[idiot]}", "you IDIOT", "tr", []engines.Span{{Start: 4, End: 9}}},
		{"sharp s", "[scheiße]}", "so eine SCHEISSE und SCHEIẞE", "de", []engines.Span{{Start: 8, End: 16}, {Start: 21, End: 28}}},
		{"phrase over punctuation", "[kill yourself]}", "kill, yourself", "", []engines.Span{{Start: 0, End: 14}}},
		{"gap", "[kill ... family], match: phrase}", "I will kill your whole family now", "", []engines.Span{{Start: 7, End: 29}}},
		{"gap too wide", "[kill ... family], match: phrase}", "kill the boss and then call your family", "", nil},
		{"wider gap", "[kill ... family], match: phrase, gap: 6}", "kill the boss and then call your family", "", []engines.Span{{Start: 0, End: 39}}},
		{"void", "[kill], void_if: [boss]}", "kill that boss, then, much later on, kill", "", []engines.Span{{Start: 37, End: 41}}},
		{"needed", "[gold], need_if: [paypal], within: 3}", "gold here. gold for paypal", "", []engines.Span{{Start: 11, End: 15}}},
		{"needed and absent", "[gold], need_if: [paypal], within: 3}", "gold for everyone in the guild, no paypal", "", nil},
		{"emoji", "[🖕]}", "so 🖕🖕 there", "", []engines.Span{{Start: 3, End: 5}}},
		{"mask of a custom word", "[grumblefish]}", "you gr*mblef#sh", "", []engines.Span{{Start: 4, End: 15}}},
	} {
		e := custom(t, "language: en\nsource: custom_list\nentries:\n  - {category: harassment, severity: 3, terms: "+c.list+"\n")
		got := look(t, e, c.text, c.language)
		var spans []engines.Span
		for _, s := range got {
			spans = append(spans, s.Span)
			if s.Source != engines.SourceCustomList {
				t.Errorf("%s: source %q, want %q", c.name, s.Source, engines.SourceCustomList)
			}
		}
		if diff := cmp.Diff(c.want, spans); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", c.name, c.text, diff)
		}
	}
}

func TestContextRaises(t *testing.T) {
	e := custom(t, "language: en\nentries:\n  - {category: violence, severity: 2, confidence: 0.5, raised: 0.9, terms: [i will find you], raise_if: [irl]}\n")
	if got := look(t, e, "i will find you", "")[0].Confidence; got != 0.5 {
		t.Errorf("confidence %v, want 0.5", got)
	}
	if got := look(t, e, "i will find you irl", "")[0].Confidence; got != 0.9 {
		t.Errorf("confidence beside irl %v, want 0.9", got)
	}
}

func TestFaultyLists(t *testing.T) {
	for _, c := range []struct {
		name, list string
		want       []string // all of them, in one error
	}{
		{"second document", "language: en\n---\nlanguage: ja\n", []string{"list.yaml", "more than one document"}},
		{"unknown key", "language: en\nentrys: []\n", []string{"list.yaml", "line 2", "entrys"}},
		{"unknown keys of entries", "language: en\nentries:\n  - {terms: [a], categry: hate}\n  - {terms: [b], severty: 2}\n", []string{"categry", "severty"}},
		{
			"everything at once", "entries:\n  - {terms: [x], category: bad, severity: 9, match: fuzzy, confidence: 1.5}\n  - {category: hate, severity: 1}\nallow: ['-']\n",
			[]string{"language", `unknown "bad"`, "severity", "match", "confidence", "without term", `"-" has no letter`},
		},
		{"failing must_hit", "language: en\nentries:\n  - {terms: [alpha], category: hate, severity: 3}\nmust_hit:\n  - {text: beta, hit: hate}\n", []string{"list.yaml", "line 5", "must_hit", "beta", "nothing"}},
		{"failing must_pass", "language: en\nentries:\n  - {terms: [alpha], category: hate, severity: 3}\nmust_pass:\n  - fine\n  - alpha centauri\n", []string{"list.yaml", "line 6", "must_pass", "alpha centauri", "list/alpha"}},
		{"wrong place", "language: en\nentries:\n  - {terms: [alpha], category: hate, severity: 3}\nmust_hit:\n  - {text: an alpha, hit: hate, at: an}\n", []string{"line 5", "an alpha"}},
		{"gap without phrase", "language: en\nentries:\n  - {terms: [a ... b], category: hate, severity: 3}\n", []string{"line 3", "must be phrase"}},
	} {
		_, err := New(Config{Lexicons: fstest.MapFS{"list.yaml": {Data: []byte(c.list)}}})
		if err == nil {
			t.Errorf("%s: loaded, want an error", c.name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q does not say %q", c.name, err, want)
			}
		}
	}
	if _, err := New(Config{Lexicons: fstest.MapFS{}}); err == nil {
		t.Error("no list at all: loaded, want an error")
	}
	if err := (Config{}).Validate(); err != nil {
		t.Errorf("Validate of the built-in lists: %v", err)
	}
}

func TestEveryListOfAllFaultyListsIsNamed(t *testing.T) {
	bad := &fstest.MapFile{Data: []byte("entries: []\n")}
	err := Config{Lexicons: fstest.MapFS{"one.yaml": bad, "two.yaml": bad}}.Validate()
	if err == nil || !strings.Contains(err.Error(), "one.yaml") || !strings.Contains(err.Error(), "two.yaml") {
		t.Errorf("Validate = %v, want both lists named", err)
	}
}

// A word with accents that is written without them is often a word of another language: it
// counts where the message may be in its own.
func TestBareWords(t *testing.T) {
	list := "language: tr\nentries:\n  - {terms: [çomar], category: hate, severity: 3}\n"
	e := custom(t, list)
	for _, c := range []struct {
		text, language string
		want           int
	}{
		{"quiero com**ar una espada para mi amigo", "", 0},
		{"hay que co.mar la puerta del castillo esta noche", "", 0},
		{"sen tam bir comar olmuşsun kardeşim", "", 1},
		{"sen c o m a r misin kardeşim", "tr", 1},
		{"quiero çomar una espada para mi amigo", "", 1}, // nobody else writes it so
	} {
		if got := look(t, e, c.text, c.language); len(got) != c.want {
			t.Errorf("%q (%s): %+v, want %d", c.text, c.language, got, c.want)
		}
	}
}

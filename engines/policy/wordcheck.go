package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// Limits of one entry.
const (
	maxTerm  = 200 // code points
	maxNote  = 2000
	maxTests = 50
	maxLists = 64
)

var matches = []string{"word", "substring", "prefix", "phrase"}

// Validate returns what is wrong with a list by itself; whether its words can be
// looked for and pass their tests is for Compile and TestWords.
func (l *List) Validate() Faults {
	var f Faults
	f.words(l.Prohibited, l.Exceptions, l.Lists)
	return f
}

func (s *Settings) words(f *Faults) { f.words(s.Prohibited, s.Exceptions, s.Lists) }

func (f *Faults) words(prohibited []ProhibitedWord, exceptions []ExceptionWord, lists []string) {
	if len(prohibited) > MaxWords {
		f.add("/prohibited", "must have at most %d words, has %d", MaxWords, len(prohibited))
		prohibited = nil
	}
	if len(exceptions) > MaxWords {
		f.add("/exceptions", "must have at most %d words, has %d", MaxWords, len(exceptions))
		exceptions = nil
	}
	terms := f.prohibited(prohibited)
	f.exceptions(exceptions, terms)
	if len(lists) > maxLists {
		f.add("/lists", "must be at most %d", maxLists)
	}
	for i, name := range lists {
		switch {
		case !plain(name, 1, 64):
			f.add(pointerAt("/lists", i), "%q is not the name of a list: want small letters, digits, - and _", name)
		case slices.Contains(lists[:i], name):
			f.add(pointerAt("/lists", i), "%q stands twice", name)
		}
	}
}

// prohibited checks prohibited words and returns which entry has which term.
func (f *Faults) prohibited(words []ProhibitedWord) map[string]int {
	terms := make(map[string]int, len(words))
	for i := range words {
		w, at := &words[i], pointerAt("/prohibited", i)
		usable := f.term(at, w.Term, w.Match, w.Language, w.Note)
		w.validate(f, at)
		if !usable {
			continue
		}
		if broad(w.Term, w.Match) {
			f.add(at+"/term", "%q is so short that it stands in every message: match must be word", w.Term)
		}
		key := termKey(w.Term, w.Language)
		if first, ok := terms[key]; ok {
			f.add(at+"/term", "%q stands in entry %d too", w.Term, first)
			continue
		}
		terms[key] = i
	}
	return terms
}

// exceptions checks exceptions, against the terms that are prohibited beside them.
func (f *Faults) exceptions(words []ExceptionWord, prohibited map[string]int) {
	for i := range words {
		w, at := &words[i], pointerAt("/exceptions", i)
		if !f.term(at, w.Term, w.Match, w.Language, w.Note) {
			continue
		}
		if letters(w.Term) < 2 && !han(w.Term) {
			f.add(at+"/term", "%q would void whole messages: an exception has two letters or more", w.Term)
		}
		if first, ok := prohibited[termKey(w.Term, w.Language)]; ok {
			f.add(at+"/term", "%q is prohibited too, in entry %d", w.Term, first)
		}
	}
}

// termKey tells terms apart that are not plainly the same.
func termKey(term, language string) string { return plainly(term) + "\x00" + strings.ToLower(language) }

// term checks what every entry has and reports whether its term can be used.
func (f *Faults) term(at, term, match, language, note string) bool {
	f.oneOf(at+"/match", match, matches...)
	if language != "" && !plain(strings.ToLower(language), 2, 35) {
		f.add(at+"/language", "%q is not a language: want a BCP 47 tag such as ja", language)
	}
	if len(note) > maxNote {
		f.add(at+"/note", "must be at most %d bytes", maxNote)
	}
	switch n := utf8.RuneCountInString(term); {
	case strings.TrimSpace(term) == "":
		f.add(at+"/term", "%q would void, or hit, whole messages: a term must have something in it", term)
	case !utf8.ValidString(term) || strings.ContainsFunc(term, control):
		f.add(at+"/term", "has control characters")
	case n > maxTerm:
		f.add(at+"/term", "must be at most %d characters, has %d", maxTerm, n)
	case strings.Trim(term, "*?. ") == "":
		f.add(at+"/term", "%q would void, or hit, whole messages: signs are not placeholders", term)
	default:
		return true
	}
	return false
}

func (w *ProhibitedWord) validate(f *Faults, at string) {
	if w.Category != "" && !slices.Contains(engines.TextCategories, w.Category) {
		f.add(at+"/category", "%q is not a category of text", w.Category)
	}
	if w.SubLabel != "" && !plain(w.SubLabel, 1, 64) {
		f.add(at+"/sub_label", "%q is not a sub-label: want small letters, digits and _", w.SubLabel)
	}
	if w.Severity < 0 || w.Severity > 4 {
		f.add(at+"/severity", "must be 1 to 4")
	}
	f.oneOf(at+"/action", string(w.Action), actionNames...)
	for key, tests := range map[string][]string{"must_hit": w.MustHit, "must_pass": w.MustPass} {
		if len(tests) > maxTests {
			f.add(at+"/"+key, "must be at most %d texts", maxTests)
		}
		for i, text := range tests {
			if text == "" || len(text) > maxNote {
				f.add(pointerAt(at+"/"+key, i), "must be a text of at most %d bytes", maxNote)
			}
		}
	}
	for i, text := range w.MustHit {
		if slices.Contains(w.MustPass, text) {
			f.add(pointerAt(at+"/must_hit", i), "%q is in must_pass too", text)
		}
	}
}

// plainly is a term without what nobody means by it.
func plainly(term string) string { return strings.ToLower(strings.Join(strings.Fields(term), " ")) }

func letters(term string) int {
	n := 0
	for _, r := range term {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.So, r) {
			n++
		}
	}
	return n
}

// han reports whether a term has a Han character, which is a word by itself.
func han(term string) bool {
	return strings.ContainsFunc(term, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// broad reports whether a term is found in nearly every text.
func broad(term, match string) bool {
	return letters(term) < 2 && !han(term) && (match == "substring" || match == "prefix") && !strings.ContainsFunc(term, func(r rune) bool { return unicode.Is(unicode.So, r) })
}

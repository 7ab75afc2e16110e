package text

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// A word of one language's list is an everyday word of another: jeet is a slur in
// English and a win in Hindi. Such words are written down with the languages where
// they are everyday; a message in one of those, and not in the list's, is not hit.

//go:embed data/everyday.txt
var everydayData string

// everyday maps a word to the languages where it is an everyday one.
var everyday = sync.OnceValue(func() map[string][]lang.Tag {
	words := map[string][]lang.Tag{}
	for line := range strings.Lines(everydayData) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] == "#" {
			continue
		}
		for _, name := range f[1:] {
			words[f[0]] = append(words[f[0]], lang.Parse(name))
		}
	}
	return words
})

// everydayIn are the languages other than the entry's in which a term is everyday.
func everydayIn(term string, own lang.Tag) (tags []lang.Tag) {
	for _, t := range everyday()[strings.ToLower(term)] {
		if t != lang.None && !lang.Kin(t, own) {
			tags = append(tags, t)
		}
	}
	return tags
}

// elsewhere reports whether the message is in a language where the entry's word is
// everyday, and not in the entry's own.
func (s *scratch) elsewhere(e *entry) bool {
	if len(e.everyday) == 0 || e.tag != lang.None && s.language().P(e.tag) >= spokenAt {
		return false
	}
	for _, t := range e.everyday {
		if lang.Kin(t, s.hint) || s.language().P(t) >= spokenAt {
			return true
		}
	}
	return false
}

package text

import (
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
)

// Sayings are the terms of at least a severity in the built-in list of a language, as
// they are spelt there, for who looks for them in other ways than in text. Those that
// count only in the company of other words are left out.
func Sayings(language string, severity int) ([]string, error) {
	name := language + ".yaml"
	l, err := readList(Config{}.lists(), name)
	if err != nil {
		return nil, fmt.Errorf("lexicon %s: %w", name, err)
	}
	var out []string
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Severity < severity || len(e.NeedIf) > 0 || e.Category == engines.Spam || e.Language != "" && e.Language != language {
			continue
		}
		for _, t := range append(slices.Clone(e.Terms), e.Term) {
			out = append(out, t.text)
		}
	}
	return out, nil
}

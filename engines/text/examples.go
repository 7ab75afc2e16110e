package text

import (
	"io/fs"

	"github.com/portcullis-gg/portcullis/configs/lexicons"
	"github.com/portcullis-gg/portcullis/engines"
)

// Example is a text of a list's own tests and what it is: "" for clean.
type Example struct {
	Text, Language string
	Category       engines.Category
}

// Examples returns the tests of all lists; nil is those that are built in. They are
// for engines/text/train: what a list's writer held to be clean, or not, the model
// learns too.
func Examples(lists fs.FS) ([]Example, error) {
	if lists == nil {
		lists = lexicons.Files
	}
	all, err := readLists(lists)
	if err != nil {
		return nil, err
	}
	var out []Example
	for _, l := range all {
		for _, t := range l.MustHit {
			out = append(out, Example{t.Text.text, l.Language, t.Category})
		}
		for _, t := range l.MustPass {
			out = append(out, Example{Text: t.text, Language: l.Language})
		}
	}
	return out, nil
}

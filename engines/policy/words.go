package policy

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// MaxWords bounds the words of one layer or list, prohibited ones and exceptions
// each.
const MaxWords = 10_000

// List is a named list of words that layers share.
type List struct {
	Description string           `yaml:"description,omitempty"`
	Prohibited  []ProhibitedWord `yaml:"prohibited,omitempty"`
	Exceptions  []ExceptionWord  `yaml:"exceptions,omitempty"`
	// Lists names further lists that belong to it.
	Lists []string `yaml:"lists,omitempty"`
}

// ProhibitedWord is an entry of a deny list. It is folded as the text is: case,
// accents, look-alikes and stretched letters need no entries of their own. A plain
// text stands for an entry that has nothing but its term.
type ProhibitedWord struct {
	Term string `yaml:"term"`
	// Match is word, substring, prefix or phrase; "" goes by the script: see engines.Word.
	Match string `yaml:"match,omitempty"`
	// Category is what the word is a sign of; "" is harassment.
	Category engines.Category `yaml:"category,omitempty"`
	SubLabel string           `yaml:"sub_label,omitempty"`
	// Severity is 1 to 4; 0 is 2.
	Severity int `yaml:"severity,omitempty"`
	// Action is what is done, whatever the category's settings; "" is block.
	Action Action `yaml:"action,omitempty"`
	// Language restricts the entry to messages that may be in it.
	Language string `yaml:"language,omitempty"`
	// Expires is when the entry ends, a date (UTC) or a time.
	Expires time.Time `yaml:"expires,omitempty"`
	Note    string    `yaml:"note,omitempty"`
	// MustHit are texts in which the entry has to be found, MustPass those in which it
	// must not: tests, which TestWords runs.
	MustHit  []string `yaml:"must_hit,omitempty"`
	MustPass []string `yaml:"must_pass,omitempty"`
}

// ExceptionWord is an entry of an allow list: it voids what is found at places
// that it overlaps, and nothing else of the message.
type ExceptionWord struct {
	Term     string    `yaml:"term"`
	Match    string    `yaml:"match,omitempty"`
	Language string    `yaml:"language,omitempty"`
	Expires  time.Time `yaml:"expires,omitempty"`
	Note     string    `yaml:"note,omitempty"`
}

// Words is what Compile needs where layers have words.
type Words struct {
	// Lists are the lists that layers may name.
	Lists map[string]List
	// Compile makes a matcher of words; text.CompileWords is one. Without it layers
	// can't have words.
	Compile func(words []engines.Word) (engines.WordMatcher, error)
}

package text

import "strings"

// step names the normalising steps that a hit needed, as a set.
type step uint32

const (
	stepCompat    step = 1 << iota // full-width, mathematical, enclosed forms
	stepMark                       // accents and other marks dropped
	stepInvisible                  // invisible characters dropped
	stepJamo                       // Hangul or kana put together
	stepLookalike                  // letters of another script or symbols read as Latin
	stepLeet                       // digits and signs read as letters
	stepJoined                     // separators between letters dropped
	stepRepeat                     // a stretched letter
	stepMasked                     // a sign stands for an unknown letter
	stepInitials                   // Hangul syllables cut to their first letter
	stepDotless                    // a dotless i of Turkish
	stepDecoded                    // character references, escapes, parts of characters
	stepReversed                   // read from the other end
	stepColumns                    // read downwards
	stepSwapped                    // letters within a word changed places or were left out
	stepLayout                     // typed on the keyboard of another script
	stepCut                        // spaces moved, or none where words meet
	stepHidden                     // written in characters that nobody sees
	stepOverride                   // shown from right to left by a control character
)

// stepsRead are those that make another reading of the message than the plain one.
const stepsRead = stepDecoded | stepReversed | stepColumns | stepHidden | stepOverride

var stepNames = [...]string{
	"compat", "accent", "invisible", "jamo", "lookalike", "leet", "joined", "repeat", "masked", "initials",
	"dotless", "decoded", "reversed", "columns", "swapped", "layout", "cut", "hidden", "override",
}

// stepCosts is what confidence is multiplied by where a step was needed: how
// often that step makes an innocent text look like an entry.
var stepCosts = [...]float64{
	1, 0.99, 1, 1, 0.98, 0.95, 0.95, 0.98, 0.9, 0.95,
	0.98, 0.97, 0.88, 0.9, 0.85, 0.88, 0.88, 0.95, 1,
}

// cost is the product of the costs of the steps.
func (s step) cost() float64 {
	c := 1.0
	for i, f := range stepCosts {
		if s&(1<<i) != 0 {
			c *= f
		}
	}
	return c
}

// String lists the steps, for operators.
func (s step) String() string {
	var names []string
	for i, name := range stepNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "+")
}

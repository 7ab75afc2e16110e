package text

import "strings"

// step names the normalising steps that a hit needed, as a set.
type step uint16

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
)

var stepNames = [...]string{"compat", "accent", "invisible", "jamo", "lookalike", "leet", "joined", "repeat", "masked", "initials"}

// stepCosts is what confidence is multiplied by where a step was needed: how
// often that step makes an innocent text look like an entry.
var stepCosts = [...]float64{1, 0.99, 1, 1, 0.98, 0.95, 0.95, 0.98, 0.9, 0.95}

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

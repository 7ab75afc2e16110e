package economy

// Text is a sentence in the languages of the console.
type Text struct{ English, Japanese, Chinese, Korean string }

// Code is a factor of a risk or a reason of a trade's judgement, for people. Its ID
// is never renamed and never given another meaning.
type Code struct {
	ID     string
	Hard   bool // alone enough to block a trade
	Lowers bool // lowers a score
	Since  int  // version of the catalogue
	Text
}

package engines

import "context"

// Category is one of the ids of the wire contract.
type Category string

// The categories of text, in the order that answers list them.
const (
	Violence   Category = "violence"
	Sexual     Category = "sexual"
	Hate       Category = "hate"
	Illegal    Category = "illegal"
	Spam       Category = "spam"
	Harassment Category = "harassment"
	Political  Category = "political"
	Privacy    Category = "privacy"
)

// The categories of pictures and sound, in the order that answers list them. The
// words in a picture and the speech in a sound have those of text.
const (
	Nudity         Category = "nudity"
	SemiNudity     Category = "semi_nudity"
	Gore           Category = "gore"
	ChildSafety    Category = "child_safety"
	Extremism      Category = "extremism"
	IPInfringement Category = "ip_infringement"
	MaliciousLink  Category = "malicious_link"
	Advertising    Category = "advertising"
	Acoustic       Category = "acoustic"
)

// TextCategories lists the categories that a text can have.
var TextCategories = []Category{Violence, Sexual, Hate, Illegal, Spam, Harassment, Political, Privacy}

// MediaCategories lists those that pictures and sound have besides.
var MediaCategories = []Category{Nudity, SemiNudity, Gore, ChildSafety, Extremism, IPInfringement, MaliciousLink, Advertising, Acoustic}

// HighRisk reports whether the category blocks by default; the others go to review.
// Of text they are those that the service document rates high, of pictures those
// that show the same.
func (c Category) HighRisk() bool {
	switch c {
	case Violence, Sexual, Hate, Illegal, Nudity, Gore, ChildSafety, Extremism:
		return true
	}
	return false
}

// Source says what kind of evidence a signal rests on.
type Source string

// The sources of a signal.
const (
	SourceLexicon    Source = "lexicon"
	SourceRule       Source = "rule"
	SourceModel      Source = "model"
	SourceHash       Source = "hash"
	SourceOCR        Source = "ocr"
	SourceASR        Source = "asr"
	SourceAcoustic   Source = "acoustic"
	SourceCustomList Source = "custom_list"
)

// Span is a half-open range [Start, End) of Unicode code points of Item.Text.
type Span struct{ Start, End int }

// Empty reports whether the span covers nothing: a signal about the whole item.
func (s Span) Empty() bool { return s.End <= s.Start }

// Signal is one thing that an engine found. It says what was seen and how sure
// the engine is, never what to do about it.
type Signal struct {
	Category Category
	// SubLabel narrows the category (self_harm, rmt, insult, …); "" when it doesn't.
	SubLabel string
	// Severity is 1 (mild) to 4 (gravest).
	Severity int
	// Confidence is the probability, 0 to 1, that the category is right.
	Confidence float64
	Source     Source
	// Span is where in Item.Text it stands; empty when it is about the whole.
	Span Span
	// Rule names the lexicon entry or rule, for operators alone.
	Rule string
	// Language of the entry that matched, BCP 47; "" when it has none.
	Language string
	// Action is what an operator's own word asks for (block, review, warn, mask); ""
	// in what engines find by themselves, which the policy's category decides.
	Action string
	// Excepted is set where one of the operator's exceptions covers the place: policy
	// leaves it out of the verdict, unless it is mandatory.
	Excepted bool
	// Place is where in the media it was found; nil for text, and for the whole.
	Place *Place
}

// Engine looks at an item. Inspect appends what it finds to out and returns it;
// it must be safe for concurrent use, must not keep or change item, and returns
// early with ctx.Err() when ctx ends. An error means that the item was not (or
// not wholly) inspected; what was appended until then still counts.
type Engine interface {
	Inspect(ctx context.Context, item *Item, out []Signal) ([]Signal, error)
}

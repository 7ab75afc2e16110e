package engines

import "time"

// Bounds of Standing.Earlier.
const (
	EarlierMost   = 16
	EarlierWithin = 7 * 24 * time.Hour
)

// Earlier is one category that was found in earlier content of a player.
type Earlier struct {
	Request  RequestID // the check that found it
	Kind     Kind
	Category Category
	// Confidence is that of the content alone, without what was earlier still.
	Confidence float64
	At         int64 // epoch ms
}

// Combined is the confidence of one category with all that it is made of.
type Combined struct {
	Category Category
	// Confidence is what they come to, Own what those of the item alone do.
	Confidence, Own float64
	Parts           []Part
}

// Part is one piece of the evidence for a category.
type Part struct {
	// From is how it came: PartContent (what the item itself says or shows), the Source of
	// another way (ocr, asr, acoustic, hash), PartEarlier or PartEconomy.
	From string
	// Category is what was found then, which may be a relative of the one that it counts for.
	Category Category
	// Confidence is what was found, Counts what that comes to here: a probability that is
	// weighed by how, and how long ago, it came.
	Confidence, Counts float64
	// Request, Kind and At (epoch ms) are those of earlier content.
	Request RequestID
	Kind    Kind
	At      int64
}

// What Part.From may be, beside sources.
const (
	PartContent = "content"
	PartEarlier = "earlier"
	PartEconomy = "economy"
)

// Own is the confidence of a category in the item alone.
func (v *Verdict) Own(l *Label) float64 {
	for i := range v.Combined {
		if v.Combined[i].Category == l.Category {
			return min(l.Confidence, v.Combined[i].Own)
		}
	}
	return l.Confidence
}

// AppendEarlier appends what a verdict found in a piece of content, as what comes later is
// told of it: each category once, with the confidence of that content alone.
func AppendEarlier(dst []Earlier, id RequestID, kind Kind, at int64, v *Verdict) []Earlier {
	labels, from := v.Labels, len(dst)
next:
	for i := range labels {
		l := &labels[i]
		p := v.Own(l)
		for j := from; j < len(dst); j++ {
			if dst[j].Category == l.Category {
				dst[j].Confidence = max(dst[j].Confidence, p)
				continue next
			}
		}
		if len(dst) < EarlierMost {
			dst = append(dst, Earlier{Request: id, Kind: kind, Category: l.Category, Confidence: p, At: at})
		}
	}
	return dst
}

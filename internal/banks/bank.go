package banks

import (
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/bank"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Restricted reports whether only an admin may make banks of a category, fill them and
// ask what is in them: who could try pictures on them would learn how to change one
// until it is no longer known.
func Restricted(c engines.Category) bool {
	return c == engines.ChildSafety || c == engines.Extremism
}

// MostRadius is the largest threshold of a bank, in bits.
const MostRadius = bank.MaxRadius

// UsualRadius is the threshold, in bits, of a bank that names none. Lists of the industry
// are meant for 31, and what matches them is locked: the restricted categories keep to
// it. Of a studio's own pictures, copies that were made smaller, marked and compressed,
// all of it, are then found in 94 of 100 cases; within 40 bits in more than 99, while of
// 431 million pairs of unrelated pictures none is nearer than 62 (pdq's TestCopies and
// TestUnrelated).
func UsualRadius(c engines.Category) int {
	if Restricted(c) {
		return 31
	}
	return 40
}

// ValidName reports whether a bank may have a name: 1 to 48 of a-z 0-9 _ -, beginning
// with a letter or digit.
func ValidName(name string) bool {
	for i, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (i == 0 || c != '_' && c != '-') {
			return false
		}
	}
	return len(name) >= 1 && len(name) <= 48
}

// Fault is what is wrong with a member of a bank.
type Fault struct{ Member, Reason string }

// Faults are all of them.
type Faults []Fault

func (f Faults) Error() string { return fmt.Sprintf("banks: %s %s", f[0].Member, f[0].Reason) }

// check returns every fault of what a bank is to be.
func check(b *store.ImageBank) error {
	var f Faults
	if !slices.Contains(engines.MediaCategories, b.Category) && !slices.Contains(engines.TextCategories, b.Category) {
		f = append(f, Fault{"category", "must be a category of pictures: child_safety, extremism, ip_infringement, nudity, gore, …"})
	}
	if !slices.Contains([]string{store.ImageBankTest, store.ImageBankLive, store.ImageBankRetired}, b.State) {
		f = append(f, Fault{"state", "must be test, live or retired"})
	}
	if b.Radius < 0 || b.Radius > MostRadius {
		f = append(f, Fault{"threshold", fmt.Sprintf("must be 0 to %d bits", MostRadius)})
	}
	if b.LeastQuality < 0 || b.LeastQuality > 100 {
		f = append(f, Fault{"least_quality", "must be 0 to 100"})
	}
	if len(b.SubLabel) > 64 {
		f = append(f, Fault{"sub_label", "at most 64 bytes"})
	}
	if len(b.Note) > 2000 {
		f = append(f, Fault{"note", "at most 2000 bytes"})
	}
	if len(f) > 0 {
		return f
	}
	return nil
}

// Severity is how grave a match of a category is.
func severity(c engines.Category) int {
	switch c {
	case engines.ChildSafety, engines.Extremism:
		return 4
	case engines.Nudity, engines.Gore, engines.Violence, engines.Sexual, engines.Hate, engines.Illegal, engines.MaliciousLink:
		return 3
	}
	return 2
}

// confidence falls from certainty at distance 0 by a twentieth at the threshold: of
// 12,000 generated pictures that have nothing to do with each other, 69 million pairs,
// no two are nearer than 72 bits.
func confidence(distance, radius int) float64 {
	if distance == 0 {
		return 0.999
	}
	return 0.999 - 0.049*float64(distance)/float64(radius)
}

// Found is an entry of a bank that a picture matches.
type Found struct {
	Bank   store.ImageBank
	Kind   string // store.ImagePDQ or store.ImageSHA256
	Number int
	// Distance is in how many bits the perceptual hash differs; 0 of a SHA-256.
	Distance int
}

// Entry names the entry as it is named to retire it: pdq/17.
func (f *Found) Entry() string { return fmt.Sprintf("%s/%d", f.Kind, f.Number) }

// signal is what a finding is a sign of.
func (f *Found) signal() engines.Signal {
	b := &f.Bank
	sub := b.SubLabel
	if sub == "" {
		sub = "known_image"
	}
	sure := 1.0
	if f.Kind == store.ImagePDQ {
		sure = confidence(f.Distance, b.Radius)
	}
	owner := ""
	if b.App == "" {
		owner = "*/"
	}
	return engines.Signal{
		Category: b.Category, SubLabel: sub, Severity: severity(b.Category), Confidence: sure, Source: engines.SourceHash,
		Rule: "image_bank:" + owner + b.Name + "#" + f.Entry(),
	}
}

// held is a bank in memory. It does not change once others see it, but for its count.
type held struct {
	store.ImageBank
	near  bank.Near
	exact bank.Exact
	gone  map[string]map[int]bool // by kind
	place int64                   // imports up to this one are in it
	count *count
}

// find looks a picture up: the same file first, then the nearest picture.
func (h *held) find(f *engines.MediaFacts) (Found, bool) {
	if m, ok := h.exact.Find(&f.SHA256, h.isGone(store.ImageSHA256)); ok {
		return Found{Bank: h.ImageBank, Kind: store.ImageSHA256, Number: m.Number}, true
	}
	if f.PDQQuality < h.LeastQuality || f.PDQ == ([32]byte{}) {
		return Found{}, false
	}
	m, ok := h.near.Find(&f.PDQ, h.Radius, h.isGone(store.ImagePDQ))
	return Found{Bank: h.ImageBank, Kind: store.ImagePDQ, Number: m.Number, Distance: m.Distance}, ok
}

func (h *held) isGone(kind string) func(int) bool {
	list := h.gone[kind]
	if len(list) == 0 {
		return nil
	}
	return func(number int) bool { return list[number] }
}

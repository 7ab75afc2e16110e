package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// BannedVoicesSettings is whether the voices of players whom a decision keeps out, or
// mutes, are kept to know them again. A voice by which somebody is known is biometric
// data (Art. 9 GDPR; 740 ILCS 14), so nothing is kept unless a layer says so and on what
// it rests, and a layer that says no has the last word over all others.
type BannedVoicesSettings struct {
	Link *bool `yaml:"link,omitempty"`
	// Basis is on what consent or law it rests, in the studio's words: 20 to 500
	// characters, of every layer that turns Link on.
	Basis string `yaml:"basis,omitempty"`
	// Days is how long such a voice is kept at most, 1 to 365; 90 unless given. It goes
	// sooner when the penalty ends.
	Days int `yaml:"days,omitempty"`
	// RememberMinutes is how long a gateway remembers, in memory alone, the voices of
	// those who spoke, for a decision that comes later: 1 to 1440, 60 unless given.
	RememberMinutes int `yaml:"remember_minutes,omitempty"`
	// Similarity is the cosine, 0.5 to 1, above which a voice is taken for another; what
	// was measured on voices of synthesisers unless given.
	Similarity float64 `yaml:"similarity,omitempty"`
}

const (
	leastBasis, mostBasis = 20, 500
	mostVoiceDays         = 365
	mostVoiceMinutes      = 24 * 60
	leastSimilarity       = 0.5

	voiceDays    = 90
	voiceMinutes = 60
)

func (b *BannedVoicesSettings) validate(f *Faults, at string) {
	n := utf8.RuneCountInString(strings.TrimSpace(b.Basis))
	switch {
	case b.Link != nil && *b.Link && n < leastBasis:
		f.add(at+"/basis", "is needed with link: true: say in at least %d characters on what consent or law it rests that voices, which are biometric data, are kept", leastBasis)
	case n > mostBasis:
		f.add(at+"/basis", "must be at most %d characters", mostBasis)
	}
	if b.Days < 0 || b.Days > mostVoiceDays {
		f.add(at+"/days", "must be 1 to %d days", mostVoiceDays)
	}
	if b.RememberMinutes < 0 || b.RememberMinutes > mostVoiceMinutes {
		f.add(at+"/remember_minutes", "must be 1 to %d minutes", mostVoiceMinutes)
	}
	if s := b.Similarity; s != 0 && !(s >= leastSimilarity && s <= 1) { // written so that NaN fails
		f.add(at+"/similarity", "must be %v to 1", leastSimilarity)
	}
}

// knows lays what is said of banned voices. A no stays.
func (d *draft) knows(b *BannedVoicesSettings, layer string) {
	if d.bannedVoices.Link == nil || *d.bannedVoices.Link {
		if b.Link != nil {
			d.bannedVoices.Link = b.Link
			if d.by != nil {
				d.by.set("/banned_voices/link", *b.Link, layer)
			}
		}
	}
	take(d, &d.bannedVoices.Basis, b.Basis, "/banned_voices/basis", layer)
	take(d, &d.bannedVoices.Days, b.Days, "/banned_voices/days", layer)
	take(d, &d.bannedVoices.RememberMinutes, b.RememberMinutes, "/banned_voices/remember_minutes", layer)
	take(d, &d.bannedVoices.Similarity, b.Similarity, "/banned_voices/similarity", layer)
}

func (b *BannedVoicesSettings) rule() *engines.VoiceLink {
	if b.Link == nil || !*b.Link {
		return nil
	}
	return &engines.VoiceLink{Days: orElse(b.Days, voiceDays), RememberMinutes: orElse(b.RememberMinutes, voiceMinutes), Similarity: b.Similarity}
}

// VoiceLink returns what holds of the voices of players who may not speak any more, nil
// where none may be kept: what Item.VoiceLink is to be.
func (r *Resolved) VoiceLink() *engines.VoiceLink { return r.voiceLink }

// LinksVoices reports whether any layer, at any time, has voices of banned players kept. A no
// of the global layer is one for all, whatever others say.
func (s *Set) LinksVoices() bool {
	if s.global > 0 {
		if on := s.layers[s.global-1].settings.BannedVoices.Link; on != nil && !*on {
			return false
		}
	}
	for i := range s.layers {
		if s.layers[i].settings.linksVoices() {
			return true
		}
	}
	return false
}

func (s *Settings) linksVoices() bool {
	if on := s.BannedVoices.Link; on != nil && *on {
		return true
	}
	for _, w := range s.Schedule {
		if w.Settings != nil && w.Settings.linksVoices() {
			return true
		}
	}
	for _, of := range s.Segments {
		if of.linksVoices() {
			return true
		}
	}
	return false
}

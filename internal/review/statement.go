package review

import (
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// statements is the statement of reasons of a flagged verdict; a pass has none.
func statements(item *engines.Item, v *engines.Verdict) []store.Statement {
	s, ok := Stated(item, *v)
	if !ok {
		return nil
	}
	s.Applied, s.Facts = time.Now(), facts(v)
	return []store.Statement{s}
}

// Stated is what the statement of reasons of a flagged verdict says, for who counts
// them: without its facts and its date. A pass has none.
func Stated(item *engines.Item, v engines.Verdict) (store.Statement, bool) {
	if !flagged(&v) {
		return store.Statement{}, false
	}
	s := store.Statement{
		Ground: store.GroundTerms, ContentType: contentType(item.Kind), ContentDate: item.ReceivedAt,
		Source: store.SourceOwnInitiative, AutomatedDetection: true, AutomatedDecision: store.AutomatedFully,
		Visibility: visibility(v.Action),
	}
	if v.Case { // what the machine did holds until a person has looked
		s.AutomatedDecision = store.AutomatedPartially
	}
	if l := engines.Gravest(v.Found().Labels); l != nil {
		s.Category = string(l.Category)
		s.Ground, s.GroundText = ground(l)
		if v.Reason != "" {
			s.GroundText = v.Reason
		}
	} else {
		s.GroundText = "content of this channel is looked at before it is published"
	}
	return s, true
}

// ground is what a label rests on.
func ground(l *engines.Label) (ground, text string) {
	name := strings.ReplaceAll(string(l.Category), "_", " ")
	if l.SubLabel != "" {
		name += ", " + strings.ReplaceAll(l.SubLabel, "_", " ")
	}
	if ground = store.GroundOf(l.Category, l.SubLabel); ground == store.GroundIllegal {
		return ground, "illegal content: " + name
	}
	return ground, "the game's rules of conduct: " + name
}

func contentType(k engines.Kind) string {
	switch k {
	case engines.KindImage, engines.KindAudio, engines.KindVideo:
		return string(k)
	case engines.KindText, engines.KindName, engines.KindTrade:
	}
	return "text"
}

func visibility(a engines.Action) string {
	switch a {
	case engines.Drop:
		return store.VisibilityRemoved
	case engines.Hold:
		return store.VisibilityDisabled
	case engines.Mask:
		return store.VisibilityMasked
	case engines.Deliver:
	}
	return ""
}

// facts says what was found and what came of it. Players are told it: it holds no
// score and no rule.
func facts(v *engines.Verdict) string {
	b := make([]byte, 0, 256)
	for _, l := range v.Found().Labels {
		b = append(b, l.Category...)
		if l.SubLabel != "" {
			b = append(append(b, '/'), l.SubLabel...)
		}
		b = strconv.AppendInt(append(b, ", severity "...), int64(l.Severity), 10)
		b = append(append(append(b, ", by "...), l.Source...), "; "...)
	}
	b = append(append(b, "action "...), v.Action...)
	b = append(append(b, " in mode "...), v.Mode...)
	if v.PolicyVersion != "" {
		b = append(append(b, " under policy "...), v.PolicyVersion...)
	}
	if v.Degraded {
		b = append(b, "; an engine did not answer in time"...)
	}
	return string(b)
}

package policy

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// MaxWindows bounds the schedule of a layer.
const MaxWindows = 10

// Validate returns what is wrong with settings wherever they stand.
func (s *Settings) Validate() Faults {
	var f Faults
	s.validate(&f, "")
	s.words(&f)
	for i := range s.Schedule {
		s.Schedule[i].validate(&f, pointerAt("/schedule", i))
	}
	if len(s.Schedule) > MaxWindows {
		f.add("/schedule", "must have at most %d windows", MaxWindows)
	}
	return f
}

// Validate returns what is wrong with the settings, as those of this layer too.
func (l *Layer) Validate() Faults {
	var f Faults
	if err := CheckLayer(l.Kind, l.Name); err != nil {
		f.add("", "%v", err)
	}
	s := &l.Settings
	f = append(f, s.Validate()...)
	if l.Kind != KindGlobal {
		s.unbinding(&f)
	}
	if l.Kind != KindChannel && s.GameMode != "" {
		f.add("/game_mode", "only a channel layer says which game mode it is of")
	}
	f.oneOf("/game_mode", s.GameMode, GameModes...)
	s.regional(&f, l.Kind, l.Name)
	return f
}

// unbinding reports mandatory rules, which layers but the global one don't have.
func (s *Settings) unbinding(f *Faults) {
	const only = "only the global layer has mandatory rules"
	s.mandatory("", func(at string) { f.add(at, only) })
	if s.EscalateMandatory != nil {
		f.add("/escalate_mandatory", only)
	}
}

// mandatory calls found with the pointer to every mark of a mandatory rule.
func (s *Settings) mandatory(at string, found func(at string)) {
	for name, c := range sorted(s.Categories) {
		p := pointerTo(at+"/categories", string(name))
		if c.Mandatory {
			found(p + "/mandatory")
		}
		for sub, have := range sorted(c.SubLabels) {
			if have.Mandatory {
				found(pointerTo(p+"/sub_labels", sub) + "/mandatory")
			}
		}
	}
}

// regional checks what only layers of regions have.
func (s *Settings) regional(f *Faults, kind LayerKind, name string) {
	if len(s.Segments) > 0 && kind != KindRegion {
		f.add("/segments", "only a region layer differs by segment")
	}
	for segment, over := range sorted(s.Segments) {
		at := pointerTo("/segments", segment)
		if !slices.Contains(Segments, segment) {
			f.add(at, "is not a segment (%s)", strings.Join(Segments, ", "))
		}
		over.inner(f, at, "differ by segment")
	}
	if len(s.Countries) > 0 && (kind != KindRegion || strings.HasPrefix(name, langPrefix)) {
		f.add("/countries", "only a region layer has countries")
	}
	for i, c := range s.Countries {
		if len(c) != 2 || c[0] < 'a' || c[0] > 'z' || c[1] < 'a' || c[1] > 'z' {
			f.add(pointerAt("/countries", i), "%q is not a country: want two small letters (ISO 3166-1)", c)
		}
	}
}

// sorted goes over a map in the order of its keys: the same faults in the same
// order each time.
func sorted[K cmp.Ordered, V any](m map[K]V) func(func(K, V) bool) {
	return func(yield func(K, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

func (s *Settings) validate(f *Faults, at string) {
	f.reason(at+"/reason", s.Reason)
	f.mode(at+"/mode", s.Mode)
	f.level(at+"/strictness", s.Strictness)
	f.delta(at+"/stricter", s.Stricter)
	f.oneOf(at+"/fail", string(s.Fail), failRules...)
	for kind, rule := range sorted(s.FailByKind) {
		p := pointerTo(at+"/fail_by_kind", string(kind))
		if !slices.Contains(contentKinds[:], kind) {
			f.add(p, "is not a kind of content (text, name, image, audio, video)")
		}
		if rule == "" {
			f.add(p, "must be one of %s", strings.Join(failRules, ", "))
		}
		f.oneOf(p, string(rule), failRules...)
	}
	f.oneOf(at+"/record", string(s.Record), recordRules...)
	switch sampled := s.Record == RecordSampled; {
	case sampled && !(s.SampleRate > 0 && s.SampleRate <= 1): // written so that NaN fails
		f.add(at+"/sample_rate", "must be above 0 and at most 1 with record: sampled")
	case !sampled && s.SampleRate != 0:
		f.add(at+"/sample_rate", "only has a meaning with record: sampled")
	}
	if s.ApproveClear != nil && *s.ApproveClear && s.Mode != "" && s.Mode != engines.PreReview {
		f.add(at+"/approve_clear", "contradicts the mode: only pre_review holds clear passes back")
	}
	if e := s.Economy; e.Risk < 0 || e.Risk > neverRisk {
		f.add(at+"/economy/risk", "must be 1 to %d", neverRisk)
	}
	if e := s.Economy; e.Stricter < 0 || e.Stricter >= MaxStrictness {
		f.add(at+"/economy/stricter", "must be 1 to %d", MaxStrictness-1)
	}
	s.Trust.validate(f, at+"/trust")
	s.History.validate(f, at+"/history")
	f.acoustic(at+"/acoustic", s.Acoustic)
	s.BannedVoices.validate(f, at+"/banned_voices")
	for name, c := range sorted(s.Categories) {
		c.validate(f, pointerTo(at+"/categories", string(name)), name)
	}
	if s.TimeZone != "" {
		if _, err := location(s.TimeZone); err != nil {
			f.add(at+"/time_zone", "%q is not an IANA time zone such as Asia/Tokyo", s.TimeZone)
		}
	}
}

// acoustic checks thresholds of what is heard without words.
func (f *Faults) acoustic(at string, says map[string]map[string]float64) {
	for kind, limits := range sorted(says) {
		known := slices.DeleteFunc(slices.Clone(engines.AcousticLimits), func(l engines.AcousticLimit) bool { return l.Kind != kind })
		if len(known) == 0 {
			f.add(pointerTo(at, kind), "is not a kind of what is heard")
			continue
		}
		for key, v := range sorted(limits) {
			p := pointerTo(pointerTo(at, kind), key)
			i := slices.IndexFunc(known, func(l engines.AcousticLimit) bool { return l.Key == key })
			if i < 0 {
				f.add(p, "is not a key that is known here")
			} else if why := known[i].Fault(v); why != "" {
				f.add(p, "%s", why)
			}
		}
	}
}

var (
	failRules   = []string{string(FailReview), string(FailOpen), string(FailClosed)}
	recordRules = []string{string(RecordFlagged), string(RecordAll), string(RecordSampled)}
	actionNames = []string{string(ActionBlock), string(ActionReview), string(ActionWarn), string(ActionMask)}
	// contentKinds are those that have a fail rule of their own.
	contentKinds = [...]engines.Kind{engines.KindText, engines.KindName, engines.KindImage, engines.KindAudio, engines.KindVideo}
)

// location loads a time zone by its IANA name; the machine's own has none.
func location(name string) (*time.Location, error) {
	if name == "Local" || name == "" {
		return nil, errNoZone
	}
	return time.LoadLocation(name)
}

func (f *Faults) oneOf(at, got string, allowed ...string) {
	if got != "" && !slices.Contains(allowed, got) {
		f.add(at, "%q is not one of %s", got, strings.Join(allowed, ", "))
	}
}

func (f *Faults) mode(at string, m engines.Mode) {
	names := make([]string, len(engines.Modes))
	for i, mode := range engines.Modes {
		names[i] = string(mode)
	}
	f.oneOf(at, string(m), names...)
}

// maxReason bounds what players are told, in characters.
const maxReason = 300

// reason is one line that can be shown.
func (f *Faults) reason(at, text string) {
	if utf8.RuneCountInString(text) > maxReason {
		f.add(at, "must be at most %d characters", maxReason)
	}
	if strings.ContainsFunc(text, unicode.IsControl) || strings.TrimSpace(text) != text {
		f.add(at, "must be one line without control characters, and no space around it")
	}
}

func (f *Faults) level(at string, level int) {
	if level < 0 || level > MaxStrictness {
		f.add(at, "must be 1 to %d", MaxStrictness)
	}
}

func (f *Faults) delta(at string, levels int) {
	if levels <= -MaxStrictness || levels >= MaxStrictness {
		f.add(at, "must be -%d to %d levels", MaxStrictness-1, MaxStrictness-1)
	}
}

func (t *TrustSettings) validate(f *Faults, at string) {
	for key, v := range map[string]*int{"watched": t.Watched, "trusted": t.Trusted, "recent_stricter": t.RecentStricter} {
		if v != nil && (*v < 0 || *v >= MaxStrictness) {
			f.add(at+"/"+key, "must be 0 to %d levels", MaxStrictness-1)
		}
	}
	if t.Recent < 0 || t.Recent > 100 {
		f.add(at+"/recent", "must be 1 to 100 violations")
	}
}

// mostMinutes is engines.EarlierWithin.
const mostMinutes = int(engines.EarlierWithin / time.Minute)

func (h *HistorySettings) validate(f *Faults, at string) {
	if h.WindowMinutes < 0 || h.WindowMinutes > mostMinutes {
		f.add(at+"/window_minutes", "must be 1 to %d minutes", mostMinutes)
	}
	if h.HalfLifeMinutes < 0 || h.HalfLifeMinutes > mostMinutes {
		f.add(at+"/half_life_minutes", "must be 1 to %d minutes", mostMinutes)
	}
	if w := h.Weight; w != nil && !(*w >= 0 && *w <= 1) { // written so that NaN fails
		f.add(at+"/weight", "must be 0 to 1")
	}
	if m := h.Most; m != nil && !(*m >= 0 && *m <= 0.5) {
		f.add(at+"/most", "must be 0 to 0.5: what was earlier is no proof of what is now")
	}
}

func (c *CategorySettings) validate(f *Faults, at string, name engines.Category) {
	if !slices.Contains(engines.TextCategories, name) && !slices.Contains(engines.MediaCategories, name) {
		f.add(at, "is not a category")
	}
	one := SubLabelSettings{Enabled: c.Enabled, Strictness: c.Strictness, Action: c.Action, Mandatory: c.Mandatory, Reason: c.Reason}
	one.validate(f, at, name == engines.ChildSafety)
	if len(c.SubLabels) > 64 {
		f.add(at+"/sub_labels", "must be at most 64")
	}
	for sub, have := range sorted(c.SubLabels) {
		p := pointerTo(at+"/sub_labels", sub)
		if !plain(sub, 1, 64) {
			f.add(p, "is not a sub-label: want small letters, digits and _")
		}
		have.validate(f, p, name == engines.Illegal && sub == string(engines.ChildSafety))
	}
}

// validate checks a rule; lawful is set for the one that no policy may weaken.
func (c *SubLabelSettings) validate(f *Faults, at string, lawful bool) {
	f.level(at+"/strictness", c.Strictness)
	f.oneOf(at+"/action", string(c.Action), actionNames...)
	f.reason(at+"/reason", c.Reason)
	disabled := c.Enabled != nil && !*c.Enabled
	switch {
	case disabled && c.Mandatory:
		f.add(at+"/mandatory", "contradicts enabled: false")
	case disabled && c.Action != "":
		f.add(at+"/action", "contradicts enabled: false")
	case disabled && c.Strictness != 0:
		f.add(at+"/strictness", "contradicts enabled: false")
	}
	if !lawful {
		return
	}
	if disabled {
		f.add(at+"/enabled", "child safety is mandatory and can't be switched off")
	}
	if c.Action != "" && c.Action != ActionBlock {
		f.add(at+"/action", "child safety is mandatory and always blocked")
	}
	if c.Strictness > 0 && c.Strictness < defaultStrictness {
		f.add(at+"/strictness", "child safety is mandatory and at least %d", defaultStrictness)
	}
}

package policy

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/portcullis-gg/portcullis/engines"
)

// draft is the settings of several layers laid over each other, general ones
// first, before defaults fill in what none of them said.
type draft struct {
	mode         engines.Mode
	level        int
	approveClear bool
	fail         Fail
	failByKind   [len(contentKinds)]Fail
	record       Record
	sampleRate   float64
	economy      EconomySettings
	trust        trust
	history      history
	escalate     bool
	zone         string
	reason       string
	gameMode     string
	// harder and softer are the levels that layers add and take off.
	harder, softer int
	categories     [categories]categoryDraft
	acoustic       engines.AcousticOver // nil where no layer has any
	bannedVoices   BannedVoicesSettings
	// by notes who set what, for Explain; nil when nobody asks.
	by *origins
}

type categoryDraft struct {
	ruleDraft
	subs []subDraft // sorted by name
}

type subDraft struct {
	name string
	ruleDraft
}

// ruleDraft is what layers said of a category or a sub-label.
type ruleDraft struct {
	enabled   *bool
	level     int
	action    Action
	mandatory bool
	floor     floor
	reason    string
}

// floor is what a mandatory rule is at the least.
type floor struct {
	level  int
	action Action
}

// trust is TrustSettings with its defaults.
type trust struct{ watched, trusted, recent, recentStricter int }

// newDraft is what holds where nobody says anything.
func newDraft(by *origins) *draft {
	d := &draft{
		mode: engines.RealTimeBlock, level: defaultStrictness, fail: FailReview, record: RecordSampled, sampleRate: defaultSampleRate,
		economy: EconomySettings{Risk: defaultEconomyRisk, Stricter: defaultStricter},
		trust:   trust{watched: 1, trusted: 1, recent: 3, recentStricter: 1},
		history: history{window: defaultWindow * minute, halfLife: defaultHalfLife * minute, weight: defaultWeight, most: defaultMost},
		by:      by,
	}
	by.defaults(d)
	return d
}

// base lays the policy of portcullis.yaml over the defaults.
func (d *draft) base(c *Config, layer string) {
	s := Settings{
		Mode: c.Mode, Strictness: c.Strictness, Fail: c.Fail, Record: c.Record, SampleRate: c.SampleRate,
		Economy: EconomySettings{Risk: c.Economy.Risk, Stricter: c.Economy.Stricter},
	}
	if c.ApproveClear {
		s.ApproveClear = &c.ApproveClear
	}
	d.lay(&s, layer)
	d.configured(c.Categories, layer)
}

// scene lays an exception of portcullis.yaml over the base.
func (d *draft) scene(c *SceneConfig, layer string) {
	d.lay(&Settings{Mode: c.Mode, Strictness: c.Strictness, ApproveClear: c.ApproveClear}, layer)
	d.configured(c.Categories, layer)
}

func (d *draft) configured(cs map[engines.Category]CategoryConfig, layer string) {
	for name, c := range cs {
		d.category(name, &CategorySettings{Enabled: c.Enabled, Strictness: c.Strictness, Action: c.Action}, layer)
	}
}

// lay lays settings over what is there. Words and schedules are apart.
func (d *draft) lay(s *Settings, layer string) {
	take(d, &d.reason, s.Reason, "/reason", layer)
	take(d, &d.mode, s.Mode, "/mode", layer)
	take(d, &d.level, s.Strictness, "/strictness", layer)
	take(d, &d.fail, s.Fail, "/fail", layer)
	for i, kind := range contentKinds {
		if rule := s.FailByKind[kind]; rule != "" {
			take(d, &d.failByKind[i], rule, "/fail_by_kind/"+string(kind), layer)
		}
	}
	if s.ApproveClear != nil {
		d.approveClear = *s.ApproveClear
		d.by.set("/approve_clear", d.approveClear, layer)
	}
	if s.Record != "" {
		take(d, &d.record, s.Record, "/record", layer)
		d.sampleRate = s.SampleRate
		if s.SampleRate > 0 {
			d.by.set("/sample_rate", s.SampleRate, layer)
		} else {
			d.by.drop("/sample_rate") // which is for sampled alone
		}
	}
	take(d, &d.economy.Risk, s.Economy.Risk, "/economy/risk", layer)
	take(d, &d.economy.Stricter, s.Economy.Stricter, "/economy/stricter", layer)
	takeOwn(d, &d.trust.watched, s.Trust.Watched, "/trust/watched", layer)
	takeOwn(d, &d.trust.trusted, s.Trust.Trusted, "/trust/trusted", layer)
	take(d, &d.trust.recent, s.Trust.Recent, "/trust/recent", layer)
	takeOwn(d, &d.trust.recentStricter, s.Trust.RecentStricter, "/trust/recent_stricter", layer)
	d.remembers(&s.History, layer)
	takeOwn(d, &d.escalate, s.EscalateMandatory, "/escalate_mandatory", layer)
	take(d, &d.zone, s.TimeZone, "/time_zone", layer)
	take(d, &d.gameMode, s.GameMode, "/game_mode", layer)
	d.stricter(s.Stricter, layer)
	d.heard(s.Acoustic, layer)
	d.knows(&s.BannedVoices, layer)
	for name, c := range s.Categories {
		d.category(name, &c, layer)
	}
}

// remembers lays what earlier content of a player counts for.
func (d *draft) remembers(s *HistorySettings, layer string) {
	window, half := d.history.window/minute, d.history.halfLife/minute
	take(d, &window, int64(s.WindowMinutes), "/history/window_minutes", layer)
	take(d, &half, int64(s.HalfLifeMinutes), "/history/half_life_minutes", layer)
	d.history.window, d.history.halfLife = window*minute, half*minute
	takeOwn(d, &d.history.weight, s.Weight, "/history/weight", layer)
	takeOwn(d, &d.history.most, s.Most, "/history/most", layer)
}

// heard lays the thresholds of what is heard without words.
func (d *draft) heard(says map[string]map[string]float64, layer string) {
	for kind, limits := range says {
		if d.acoustic == nil {
			d.acoustic = engines.AcousticOver{}
		}
		if d.acoustic[kind] == nil {
			d.acoustic[kind] = map[string]float64{}
		}
		for key, v := range limits {
			d.acoustic[kind][key] = v
			if d.by != nil {
				d.by.set(pointerTo(pointerTo("/acoustic", kind), key), v, layer)
			}
		}
	}
}

func (d *draft) stricter(levels int, layer string) {
	d.harder += max(levels, 0)
	d.softer += max(-levels, 0)
	if levels != 0 {
		d.by.set("/stricter", d.harder-d.softer, layer)
	}
}

// take sets a value that a layer names.
func take[T comparable](d *draft, have *T, says T, pointer, layer string) {
	var nothing T
	if says != nothing {
		*have = says
		if d.by != nil {
			d.by.set(pointer, says, layer)
		}
	}
}

// takeOwn is take for values of which every one means something.
func takeOwn[T comparable](d *draft, have *T, says *T, pointer, layer string) {
	if says != nil {
		*have = *says
		if d.by != nil {
			d.by.set(pointer, *says, layer)
		}
	}
}

func (d *draft) category(name engines.Category, c *CategorySettings, layer string) {
	have := &d.categories[index(name)]
	at := ""
	if d.by != nil {
		at = pointerTo("/categories", string(name))
	}
	have.lay(d, &SubLabelSettings{Enabled: c.Enabled, Strictness: c.Strictness, Action: c.Action, Mandatory: c.Mandatory, Reason: c.Reason}, at, layer)
	have.cover(d, c, at)
	for sub, says := range c.SubLabels {
		i, ok := slices.BinarySearchFunc(have.subs, sub, func(s subDraft, name string) int { return compareStrings(s.name, name) })
		if !ok {
			have.subs = slices.Insert(have.subs, i, subDraft{name: sub})
		}
		p := ""
		if d.by != nil {
			p = pointerTo(at+"/sub_labels", sub)
		}
		have.subs[i].lay(d, &says, p, layer)
	}
}

// cover takes away what layers below said of sub-labels where a layer now speaks of
// the whole category: what is more specific decides, and minors are not to meet what
// a region is mild about.
func (have *categoryDraft) cover(d *draft, c *CategorySettings, at string) {
	for i := range have.subs {
		s := &have.subs[i]
		if c.Enabled != nil && s.enabled != nil {
			s.enabled = nil
			d.by.covered(at, s.name, "/enabled")
		}
		if c.Strictness != 0 && s.level != 0 {
			s.level = 0
			d.by.covered(at, s.name, "/strictness")
		}
		if c.Action != "" && s.action != "" {
			s.action = ""
			d.by.covered(at, s.name, "/action")
		}
		if c.Reason != "" && s.reason != "" {
			s.reason = ""
			d.by.covered(at, s.name, "/reason")
		}
	}
}

func (r *ruleDraft) lay(d *draft, says *SubLabelSettings, at, layer string) {
	if says.Enabled != nil {
		r.enabled = says.Enabled
		d.by.set(at+"/enabled", *says.Enabled, layer)
	}
	if says.Strictness != 0 {
		r.level = says.Strictness
		d.by.set(at+"/strictness", says.Strictness, layer)
	}
	if says.Action != "" {
		r.action = says.Action
		d.by.set(at+"/action", says.Action, layer)
	}
	if says.Reason != "" {
		r.reason = says.Reason
		d.by.set(at+"/reason", says.Reason, layer)
	}
	if says.Mandatory {
		r.mandatory = true
		d.by.set(at+"/mandatory", true, layer)
	}
}

// fix notes what the mandatory rules of the global layer are at the least: what
// they are once it and the base are laid. No layer after that can loosen them.
func (d *draft) fix() {
	levels := d.harder - d.softer
	for i := range d.categories {
		c := &d.categories[i]
		own := floor{clamp(orElse(c.level, d.level) + levels), orElse(c.action, defaultAction(i))}
		if c.mandatory {
			c.floor = own
		}
		for k := range c.subs {
			s := &c.subs[k]
			s.mandatory = s.mandatory || c.mandatory
			if s.mandatory {
				s.floor = floor{clamp(orElse(s.level, orElse(c.level, d.level)) + levels), orElse(s.action, own.action)}
			}
		}
	}
}

// finish makes the rules that Decide applies.
func (d *draft) finish(r *Resolved) {
	r.Mode, r.ApproveClear, r.Fail, r.Record = d.mode, d.approveClear, d.fail, d.record
	for i, rule := range d.failByKind {
		r.failByKind[i] = orElse(rule, d.fail)
	}
	switch r.Record {
	case RecordAll:
		r.SampleRate = 1
	case RecordSampled:
		r.SampleRate = d.sampleRate
	}
	r.economy = economyRule{risk: d.economy.Risk, stricter: d.economy.Stricter}
	if d.acoustic != nil {
		r.acoustic = &d.acoustic
	}
	r.voiceLink = d.bannedVoices.rule()
	r.history = d.history
	r.trust, r.escalate, r.GameMode = d.trust, d.escalate, orElse(r.GameMode, d.gameMode)
	for i := range d.categories {
		c := &d.categories[i]
		nobody := rule{enabled: true, level: d.level, action: defaultAction(i), reason: d.reason}
		if illegal(i) { // which rests on the law, and not on the house's rules
			nobody.reason = ""
		}
		own := d.rule(i, &c.ruleDraft, nobody)
		var subs []subRule
		named := rule{enabled: own.enabled, level: orElse(c.level, d.level), action: own.action, reason: own.reason}
		for k := range c.subs {
			s := &c.subs[k]
			if c.mandatory && !s.mandatory { // a layer above named it first
				s.mandatory, s.floor = true, c.floor
			}
			subs = append(subs, subRule{s.name, d.rule(i, &s.ruleDraft, named)})
		}
		r.rules[i] = categoryRule{own, subs}
	}
	lawful(&r.rules[index(engines.Illegal)], string(engines.ChildSafety))
	lawful(&r.rules[index(engines.ChildSafety)], "")
}

// rule is what a draft comes to, up standing for what it leaves out.
func (d *draft) rule(category int, have *ruleDraft, up rule) rule {
	out := rule{enabled: up.enabled, level: orElse(have.level, up.level), action: orElse(have.action, up.action), reason: orElse(have.reason, up.reason)}
	if have.enabled != nil {
		out.enabled = *have.enabled
	}
	levels := d.harder - d.softer
	if illegal(category) {
		levels = d.harder
	}
	out.level = clamp(out.level + levels)
	if have.mandatory {
		out.enabled, out.floor = true, have.floor.level
		out.level = max(out.level, have.floor.level)
		if weight(have.floor.action) > weight(out.action) {
			out.action = have.floor.action
		}
	}
	return out
}

// lawful puts the rule that the law asks for everywhere into a category, for one
// of its sub-labels or all of it.
func lawful(c *categoryRule, sub string) {
	fixed := rule{enabled: true, level: max(c.level, defaultStrictness), floor: max(c.floor, defaultStrictness), action: ActionBlock, reason: c.reason}
	if sub == "" {
		c.rule = fixed
		return
	}
	i, ok := slices.BinarySearchFunc(c.subs, sub, func(s subRule, name string) int { return compareStrings(s.name, name) })
	if !ok {
		c.subs = slices.Insert(c.subs, i, subRule{sub, fixed})
		return
	}
	have := &c.subs[i].rule
	have.enabled, have.action = true, ActionBlock
	have.level, have.floor = max(have.level, defaultStrictness), max(have.floor, defaultStrictness)
}

// weight orders actions by how much they do against the content.
func weight(a Action) int {
	switch a {
	case ActionBlock:
		return 3
	case ActionReview:
		return 2
	case ActionMask:
		return 1
	}
	return 0
}

func defaultAction(category int) Action {
	if category != otherCategory && categoryAt(category).HighRisk() {
		return ActionBlock
	}
	return ActionReview
}

func clamp(level int) int { return min(max(level, 1), MaxStrictness) }

func compareStrings(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func orElse[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// shown is a value as JSON has it.
func shown(v any) string {
	switch t := v.(type) {
	case bool:
		return strconv.FormatBool(t)
	case int:
		return strconv.Itoa(t)
	case int64:
		return strconv.FormatInt(t, 10)
	case float64:
		return strconv.FormatFloat(t, 'g', -1, 64)
	}
	return strconv.Quote(fmt.Sprint(v))
}

package policy

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Explanation says what holds for an item and which layer said so.
type Explanation struct {
	// Version names the policy set.
	Version string
	// GameMode is what the item counts as, "" for none.
	GameMode string
	// Layers are those that hold, the most general first: "base", "base scene
	// <scene>", and layer ids such as "region/jp".
	Layers []string
	// Settings are all that somebody set, and the defaults of the rest, in the order
	// of their pointers.
	Settings []ExplainedSetting
	// Rules are what the settings come to for each category, and for each sub-label
	// that differs.
	Rules []ExplainedRule
	// Windows are the windows of schedules that are open: "segment/minor 22:00-06:00".
	Windows []string
	// Words counts the words that count, by where they come from.
	Words []ExplainedWords
}

// ExplainedSetting is one setting, its value and where it comes from.
type ExplainedSetting struct {
	// Pointer names the setting as in Settings: /categories/hate/strictness.
	Pointer string
	// Value is written as in JSON. That of /stricter is the sum of all layers.
	Value string
	// Layer is what set it: a layer's id (with a window, where one did), "base", or
	// "default" for what nobody set.
	Layer string
	// Overridden are the layers that had said otherwise, the most general first.
	Overridden []string
}

// ExplainedRule is what holds for a category or a sub-label in the end.
type ExplainedRule struct {
	Category   engines.Category
	SubLabel   string
	Enabled    bool
	Strictness int
	Action     Action
	// Mandatory rules are those that nothing loosens.
	Mandatory bool
	// Reason is what players are told, "" for nothing but the category.
	Reason string
}

// ExplainedWords is how many words come from one place.
type ExplainedWords struct {
	Source     string // a layer's id or list/<name>
	Prohibited int
	Exceptions int
}

// Explain says which layers hold for item at a time, and which of them set what.
// It works everything out anew: Resolve is for the way of a message.
func (s *Set) Explain(item *engines.Item, at time.Time) Explanation {
	key := s.combination(item)
	by := &origins{of: map[string]*ExplainedSetting{}}
	c := s.open(key)
	open := uint64(0)
	if c.fixed == nil {
		open = c.schedule.at(at)
	}
	r := s.build(key, open, by)
	x := Explanation{Version: s.version, GameMode: r.GameMode, Layers: []string{"base"}}
	if key.scene != 0 {
		x.Layers = append(x.Layers, "base scene "+s.config.Scenes[key.scene-1].Scene)
	}
	bit := 0
	for _, number := range s.stack(key) {
		l := &s.layers[number-1]
		x.Layers = append(x.Layers, l.id)
		for i := range l.windows {
			if open&(1<<(bit+i)) != 0 {
				x.Windows = append(x.Windows, l.id+" "+l.settings.Schedule[i].String())
			}
		}
		bit += len(l.windows)
	}
	for _, pointer := range slices.Sorted(maps.Keys(by.of)) {
		x.Settings = append(x.Settings, *by.of[pointer])
	}
	for i := range otherCategory {
		x.Rules = append(x.Rules, explained(categoryAt(i), "", &r.rules[i].rule))
		for k := range r.rules[i].subs {
			x.Rules = append(x.Rules, explained(categoryAt(i), r.rules[i].subs[k].name, &r.rules[i].subs[k].rule))
		}
	}
	x.Words = r.words.explain()
	return x
}

func explained(c engines.Category, sub string, r *rule) ExplainedRule {
	return ExplainedRule{c, sub, r.enabled, r.level, r.action, r.floor > 0, r.reason}
}

func (a *activeWords) explain() (out []ExplainedWords) {
	if a == nil {
		return nil
	}
	count := make([]ExplainedWords, len(a.rank))
	for i := range a.set.words {
		w := &a.set.words[i]
		c := &count[w.source]
		if w.exception {
			c.Exceptions++
		} else {
			c.Prohibited++
		}
	}
	for source, rank := range a.rank {
		if rank > 0 {
			count[source].Source = a.set.from[source]
			out = append(out, count[source])
		}
	}
	slices.SortFunc(out, func(x, y ExplainedWords) int { return cmp.Compare(x.Source, y.Source) })
	return out
}

// origins notes who set what. A nil one notes nothing.
type origins struct{ of map[string]*ExplainedSetting }

// set notes that a layer set a setting.
func (o *origins) set(pointer string, value any, layer string) {
	if o == nil {
		return
	}
	have := o.of[pointer]
	if have == nil {
		o.of[pointer] = &ExplainedSetting{Pointer: pointer, Value: shown(value), Layer: layer}
		return
	}
	if have.Layer != "default" {
		have.Overridden = append(have.Overridden, have.Layer)
	}
	have.Value, have.Layer = shown(value), layer
}

// drop notes that a setting has no meaning any more.
func (o *origins) drop(pointer string) {
	if o != nil {
		delete(o.of, pointer)
	}
}

// covered notes that what a category says now stands for a sub-label too.
func (o *origins) covered(category, sub, setting string) {
	if o == nil {
		return
	}
	pointer := pointerTo(category+"/sub_labels", sub) + setting
	if was := o.of[pointer]; was != nil {
		now := o.of[category+setting]
		now.Overridden = append(now.Overridden, was.Layer)
		delete(o.of, pointer)
	}
}

// defaults notes what holds where nobody says anything.
func (o *origins) defaults(d *draft) {
	if o == nil {
		return
	}
	for pointer, value := range map[string]any{
		"/mode": d.mode, "/strictness": d.level, "/fail": d.fail, "/approve_clear": false, "/record": d.record, "/sample_rate": d.sampleRate,
		"/economy/risk": d.economy.Risk, "/economy/stricter": d.economy.Stricter,
		"/trust/watched": d.trust.watched, "/trust/trusted": d.trust.trusted,
		"/history/window_minutes": d.history.window / minute, "/history/half_life_minutes": d.history.halfLife / minute,
		"/history/weight": d.history.weight, "/history/most": d.history.most,
		"/trust/recent": d.trust.recent, "/trust/recent_stricter": d.trust.recentStricter,
		"/escalate_mandatory": false, "/time_zone": "UTC",
	} {
		o.set(pointer, value, "default")
	}
}

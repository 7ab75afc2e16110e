package policy

import (
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// Resolved are the rules that hold for one item. It is shared: read only.
type Resolved struct {
	Mode         engines.Mode
	ApproveClear bool
	// Fail is the fail rule of kinds of content that have none of their own.
	Fail   Fail
	Record Record
	// SampleRate is the share of passes recorded: 0 to 1, whatever Record says.
	SampleRate float64
	// GameMode is what the item counts as, "" for none.
	GameMode string
	// Version names the policy; it ends in every verdict.
	Version string

	rules      [categories]categoryRule
	failByKind [len(contentKinds)]Fail
	economy    economyRule
	trust      trust
	history    history
	escalate   bool
	// lawMode is the filtering mode for what mandatory rules block.
	lawMode  engines.Mode
	words    *activeWords          // nil for none
	acoustic *engines.AcousticOver // nil for none
	// voiceLink is nil where voices must not be kept.
	voiceLink *engines.VoiceLink
}

// categoryRule is what holds for a category and for sub-labels that differ.
type categoryRule struct {
	rule
	subs []subRule // sorted by name
}

type subRule struct {
	name string
	rule
}

// rule is what holds for one category or sub-label.
type rule struct {
	enabled bool
	level   int // strictness unless the item or its player moves it
	action  Action
	// floor is the strictness that nothing goes below; 0 where the rule is not
	// mandatory.
	floor int
	// reason is what players are told, "" for nothing but the category.
	reason string
}

// Words returns the operator's words that count, nil for none: what Item.Words is
// to be while engines look at the item.
func (r *Resolved) Words() engines.Words {
	if r.words == nil {
		return nil // not a nil pointer in an interface
	}
	return r.words
}

// Acoustic returns what layers say of thresholds of what is heard without words, nil for
// nothing: what Item.Acoustic is to be. The pointer is the same until the policy, or what
// holds of it, changes.
func (r *Resolved) Acoustic() *engines.AcousticOver { return r.acoustic }

func (r *Resolved) failFor(kind engines.Kind) Fail {
	for i, k := range contentKinds {
		if k == kind {
			return r.failByKind[i]
		}
	}
	return r.Fail
}

// combination says which layers hold for an item.
func (s *Set) combination(item *engines.Item) (key combination) {
	if s.plain {
		return key
	}
	key.scene = find(s.exactScenes, s.sceneStarts, item.Scene)
	if len(s.layers) == 0 {
		return key
	}
	key.channel = find(s.channels, s.channelStarts, item.Scene)
	key.segment = segment(item.Segment)
	key.region = named(s.regions, item.Region)
	language, _, _ := strings.Cut(item.Language, "-")
	key.language = named(s.languages, language)
	key.mode = s.modes[s.gameMode(item, key.channel)]
	return key
}

// find returns the number for a scene, 0 for none: of its id, else of the first
// prefix that fits.
func find(exact map[engines.SceneID]int16, starts []numbered, scene engines.SceneID) int16 {
	if n := exact[scene]; n != 0 {
		return n
	}
	for i := range starts {
		if strings.HasPrefix(string(scene), starts[i].prefix) {
			return starts[i].number
		}
	}
	return 0
}

// named looks a name up whose letters may be capitals.
func named(names map[string]int16, name string) int16 {
	if n := names[name]; n != 0 {
		return n
	}
	var small [64]byte // no name of a layer is longer
	if len(name) > len(small) {
		return 0
	}
	for i, c := range []byte(name) {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		small[i] = c
	}
	return names[string(small[:len(name)])] // which does not allocate
}

// gameMode says what an item is for: what its channel's layer says, a name for
// names, and else what the scene is called: a game mode, or one with something
// behind it as in team_chat:7 or board_eu. "" is none of them.
func (s *Set) gameMode(item *engines.Item, channel int16) string {
	if channel != 0 {
		if mode := s.layers[channel-1].settings.GameMode; mode != "" {
			return mode
		}
	}
	if item.Kind == engines.KindName {
		return "name"
	}
	if item.Media != nil {
		return modeOf(item.Media.Use)
	}
	for _, mode := range GameModes {
		rest, ok := strings.CutPrefix(string(item.Scene), mode)
		if ok && (rest == "" || strings.ContainsRune("_-:./#", rune(rest[0]))) {
			return mode
		}
	}
	return ""
}

// modeOf is the game mode of what a picture is for.
func modeOf(use engines.Use) string {
	switch use {
	case engines.UseEmblem:
		return "emblem"
	case "":
		return string(engines.UseUpload)
	}
	return string(use) // which has its own name; another one is no mode
}

const numSegments = 3

// segment is the place of a segment in Segments, from 1; 0 is none. Letter case is
// nobody's intent: "Minor" must not lose the rules for minors without a word.
func segment(name string) int16 {
	switch name {
	case "minor":
		return 1
	case "standard":
		return 2
	case "trusted":
		return 3
	}
	for i, known := range Segments {
		if strings.EqualFold(name, known) {
			return int16(i + 1)
		}
	}
	return 0
}

// stack lists the numbers of the layers of a combination, the most general first.
// A language is what somebody says of a message, a region where the law is: it
// comes after.
func (s *Set) stack(key combination) []int16 {
	out := make([]int16, 0, 6)
	for _, n := range [...]int16{s.global, key.language, key.region, key.mode, key.channel, s.segments[key.segment]} {
		if n != 0 {
			out = append(out, n)
		}
	}
	return out
}

// build lays the layers of a combination over each other, with the windows that
// are open.
func (s *Set) build(key combination, open uint64, by *origins) *Resolved {
	d := newDraft(by)
	d.base(&s.config, "base")
	if key.scene != 0 {
		scene := &s.config.Scenes[key.scene-1]
		d.scene(scene, "base scene "+scene.Scene)
	}
	r := &Resolved{Version: s.version}
	stack := s.stack(key)
	if s.global == 0 {
		d.fix()
		r.lawMode = d.mode
	}
	bit := 0
	for _, number := range stack {
		l := &s.layers[number-1]
		d.lay(&l.settings, l.id)
		if number == s.global {
			d.fix()
			r.lawMode = d.mode
		}
		for i := range l.windows {
			if open&(1<<(bit+i)) != 0 {
				d.window(l, i)
			}
		}
		bit += len(l.windows)
	}
	for _, number := range [...]int16{key.language, key.region} {
		if number == 0 || key.segment == 0 {
			continue
		}
		l := &s.layers[number-1]
		if over, ok := l.settings.Segments[Segments[key.segment-1]]; ok {
			d.lay(&over, l.id+" segment "+Segments[key.segment-1])
		}
	}
	if key.mode != 0 {
		_, r.GameMode, _ = strings.Cut(s.layers[key.mode-1].id, "/")
	}
	d.finish(r)
	r.words = s.words.active(stack)
	return r
}

// window lays an open window of a layer.
func (d *draft) window(l *compiledLayer, i int) {
	w := &l.windows[i]
	name := l.id + " " + l.settings.Schedule[i].String()
	if w.settings != nil {
		d.lay(w.settings, name)
	}
	d.stricter(w.stricter, name)
}

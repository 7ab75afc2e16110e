package policy

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Set is a compiled policy: a base, the layers over it and their words. What it
// says never changes, so any number of goroutines may ask at once; a new policy is
// a new Set.
type Set struct {
	version string
	config  Config
	// scenes are the base's exceptions in their order, by number from 1.
	exactScenes map[engines.SceneID]int16
	sceneStarts []numbered

	layers []compiledLayer // in the order of Kinds and names; numbered from 1
	global int16
	// Names of layers; regions has the countries too.
	regions, languages, modes map[string]int16
	segments                  [numSegments + 1]int16 // by what segment gives
	channels                  map[engines.SceneID]int16
	channelStarts             []numbered // longest first

	words *wordSet // nil when no layer has words

	mu     sync.RWMutex
	combos map[combination]*combo
	plain  bool // no layer and no scene: one combination is all there is
}

// numbered is a prefix of scenes and the number of what is for them.
type numbered struct {
	prefix string
	number int16
}

// compiledLayer is a layer ready to be laid.
type compiledLayer struct {
	id       string
	settings Settings
	windows  []window
}

// maxCombos bounds the resolved combinations that a Set remembers. Full-rule: all
// are forgotten, and those that are asked for are made anew.
const maxCombos = 4096

// Compile checks base and layers and makes a Set of them. It keeps of its arguments
// what it reads, so they must not be changed. An error that layers or lists are to
// blame for is Faults, of which each Pointer begins with the layer's id and a #:
// "region/jp#/categories/hate".
func Compile(base Config, layers []Layer, words Words) (*Set, error) {
	if err := base.Validate(); err != nil {
		return nil, err
	}
	s := &Set{
		config: base, exactScenes: map[engines.SceneID]int16{}, combos: map[combination]*combo{},
		regions: map[string]int16{}, languages: map[string]int16{}, modes: map[string]int16{},
		channels: map[engines.SceneID]int16{}, plain: len(layers) == 0 && len(base.Scenes) == 0,
	}
	for i, scene := range base.Scenes {
		// Validate refuses an entry that an earlier one hides, so every exact entry
		// stands before the prefixes that fit it and may be looked up first.
		if prefix, ok := strings.CutSuffix(scene.Scene, "*"); ok {
			s.sceneStarts = append(s.sceneStarts, numbered{prefix, int16(i + 1)})
		} else {
			s.exactScenes[engines.SceneID(scene.Scene)] = int16(i + 1)
		}
	}
	if err := s.add(layers).err(); err != nil {
		return nil, err
	}
	var faults Faults
	if s.words, faults = compileWords(s.layers, words); len(faults) > 0 {
		return nil, faults
	}
	var err error
	s.version, err = version(base, s.layers, s.words)
	return s, err
}

// maxLayers keeps the numbers of layers in 16 bits.
const maxLayers = 10_000

// add takes the layers in, the most general first.
func (s *Set) add(layers []Layer) (f Faults) {
	if len(layers) > maxLayers {
		f.add("", "must be at most %d layers", maxLayers)
		return f
	}
	layers = slices.Clone(layers)
	slices.SortStableFunc(layers, func(a, b Layer) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)), cmp.Compare(a.Name, b.Name))
	})
	for i := range layers {
		l := &layers[i]
		for _, fault := range l.Validate() {
			fault.Pointer = l.ID() + "#" + fault.Pointer
			f = append(f, fault)
		}
		if i > 0 && layers[i-1].ID() == l.ID() {
			f.add(l.ID()+"#", "stands twice")
		}
		compiled := compiledLayer{id: l.ID(), settings: l.Settings}
		for k := range l.Settings.Schedule {
			compiled.windows = append(compiled.windows, l.Settings.Schedule[k].compile())
		}
		s.layers = append(s.layers, compiled)
		f = append(f, s.name(l, int16(len(s.layers)))...)
	}
	slices.SortFunc(s.channelStarts, func(a, b numbered) int { return cmp.Compare(len(b.prefix), len(a.prefix)) })
	return f
}

// name makes a layer found by what items say.
func (s *Set) name(l *Layer, number int16) (f Faults) {
	switch l.Kind {
	case KindGlobal:
		s.global = number
	case KindRegion:
		if tag, ok := strings.CutPrefix(l.Name, langPrefix); ok {
			s.languages[tag] = number
			break
		}
		s.regions[l.Name], s.regions[strings.ToUpper(l.Name)] = number, number
		for i, c := range l.Settings.Countries {
			if other := s.regions[c]; other != 0 && other != number {
				f.add(l.ID()+"#"+pointerAt("/countries", i), "%q belongs to %s too", c, s.layers[other-1].id)
				continue
			}
			s.regions[c], s.regions[strings.ToUpper(c)] = number, number
		}
	case KindMode:
		s.modes[l.Name] = number
	case KindChannel:
		if prefix, ok := strings.CutSuffix(l.Name, "*"); ok {
			s.channelStarts = append(s.channelStarts, numbered{prefix, number})
		} else {
			s.channels[engines.SceneID(l.Name)] = number
		}
	case KindSegment:
		s.segments[segment(l.Name)] = number
	}
	return f
}

// Version names the policy: equal bases, layers and lists have equal versions.
func (s *Set) Version() string { return s.version }

// version is a digest, so that it is the same on every gateway and after every
// restart, and changes with the policy.
func version(base Config, layers []compiledLayer, words *wordSet) (string, error) {
	h := sha256.New()
	base.Dir = ""                // what stands there counts, not where it is
	b, err := json.Marshal(base) // sorts maps
	if err != nil {
		return "", fmt.Errorf("policy version: %w", err)
	}
	_, _ = h.Write(b) // a hash never fails
	for i := range layers {
		if b, err = MarshalSettings(layers[i].settings, YAML); err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(h, "\x00%s\x00%s", layers[i].id, b)
	}
	if words != nil {
		for _, name := range words.lists {
			if b, err = MarshalList(words.of[name], YAML); err != nil {
				return "", err
			}
			_, _ = fmt.Fprintf(h, "\x00list/%s\x00%s", name, b)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// combination is which base exception and layers hold for an item, by number, and
// which segment; 0 is none. Attackers can't make more of them than the policy has.
type combination struct{ scene, language, region, mode, channel, segment int16 }

// combo is a combination, resolved.
type combo struct {
	schedule scheduled
	fixed    *Resolved // where nothing changes with the time of day

	mu     sync.RWMutex
	minute int64 // that now is for
	now    *Resolved
	// variants are what holds under each set of open windows. Full-rule: past
	// maxVariants they are forgotten.
	variants map[uint64]*Resolved
}

const maxVariants = 32

// Resolve returns the rules that hold for item at a time. Once a combination of
// layers is known it allocates nothing.
func (s *Set) Resolve(item *engines.Item, at time.Time) *Resolved {
	key := s.combination(item)
	s.mu.RLock()
	c := s.combos[key]
	s.mu.RUnlock()
	if c == nil {
		c = s.combine(key)
	}
	if c.fixed != nil {
		return c.fixed
	}
	return s.timely(key, c, at)
}

// combine makes a combination known.
func (s *Set) combine(key combination) *combo {
	c := s.open(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if have := s.combos[key]; have != nil {
		return have // somebody else was as fast
	}
	if len(s.combos) >= maxCombos {
		clear(s.combos)
	}
	s.combos[key] = c
	return c
}

// open makes the combo of a combination.
func (s *Set) open(key combination) *combo {
	c := &combo{}
	zone := ""
	for _, number := range s.stack(key) {
		l := &s.layers[number-1]
		zone = cmp.Or(l.settings.TimeZone, zone)
		c.schedule.layers = append(c.schedule.layers, l.windows)
	}
	if !slices.ContainsFunc(c.schedule.layers, func(w []window) bool { return len(w) > 0 }) {
		c.fixed = s.build(key, 0, nil)
		return c
	}
	c.schedule.zone = time.UTC
	if zone != "" {
		if loaded, err := location(zone); err == nil { // it was validated
			c.schedule.zone = loaded
		}
	}
	c.variants = map[uint64]*Resolved{}
	return c
}

// timely returns what holds at a time. Windows begin and end with a minute, and
// zones differ by whole minutes, so what holds is asked once in a minute.
func (s *Set) timely(key combination, c *combo, at time.Time) *Resolved {
	minute := at.Unix() / 60
	c.mu.RLock()
	have, now := c.minute, c.now
	c.mu.RUnlock()
	if now != nil && have == minute {
		return now
	}
	open := c.schedule.at(at)
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.variants[open]
	if r == nil {
		if len(c.variants) >= maxVariants {
			clear(c.variants)
		}
		r = s.build(key, open, nil)
		c.variants[open] = r
	}
	c.minute, c.now = minute, r
	return r
}

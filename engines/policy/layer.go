package policy

import (
	"fmt"
	"slices"
	"strings"
)

// LayerKind says how specific a layer is. Layers are laid over the base in the
// order of Kinds; each names only what it overrides.
type LayerKind string

// The kinds of layers.
const (
	// KindGlobal has one layer, "default": the mandatory rules and basic safety.
	KindGlobal LayerKind = "global"
	// KindRegion has a layer for each region (jp, kr, sea, west, mea, or one of the
	// operator's own), and for each language as lang: and its BCP 47 primary tag.
	KindRegion LayerKind = "region"
	// KindMode has a layer for each of GameModes.
	KindMode LayerKind = "mode"
	// KindChannel has a layer for a scene, or for a prefix of scenes that ends in *.
	KindChannel LayerKind = "channel"
	// KindSegment has the layers minor, standard and trusted.
	KindSegment LayerKind = "segment"
)

// Kinds lists the kinds of layers, the most general first.
var Kinds = []LayerKind{KindGlobal, KindRegion, KindMode, KindChannel, KindSegment}

// GlobalName is the name of the only global layer.
const GlobalName = "default"

// GameModes lists the game modes: what a scene, a field or an upload is for.
var GameModes = []string{
	"global_chat", "team_chat", "private_message", "board", "name",
	"voice", "avatar", "screenshot", "skin", "upload", "emblem",
}

// Regions lists the regions that have a pack of their own.
var Regions = []string{"jp", "kr", "sea", "west", "mea"}

// Segments lists the user segments.
var Segments = []string{"minor", "standard", "trusted"}

// Layer is a named part of a policy.
type Layer struct {
	Kind     LayerKind
	Name     string
	Settings Settings
}

// ID is the layer's kind and name as one, as in "region/jp".
func (l *Layer) ID() string { return string(l.Kind) + "/" + l.Name }

// langPrefix begins the names of layers of a language.
const langPrefix = "lang:"

// CheckLayer reports whether a layer of this kind and name can be.
func CheckLayer(kind LayerKind, name string) error {
	switch kind {
	case KindGlobal:
		if name != GlobalName {
			return fmt.Errorf("layer %s/%s: the global layer is called %s", kind, name, GlobalName)
		}
	case KindRegion:
		if tag, ok := strings.CutPrefix(name, langPrefix); ok {
			if !plain(tag, 2, 8) {
				return fmt.Errorf("layer %s/%s: want lang: and a language in small letters, such as lang:ja", kind, name)
			}
		} else if !plain(name, 1, 64) {
			return fmt.Errorf("layer %s/%s: want a region in small letters, digits, - and _, such as jp", kind, name)
		}
	case KindMode:
		if !slices.Contains(GameModes, name) {
			return fmt.Errorf("layer %s/%s: is not a game mode (%s)", kind, name, strings.Join(GameModes, ", "))
		}
	case KindChannel:
		if prefix, _ := strings.CutSuffix(name, "*"); name == "" || len(name) > 128 || strings.Contains(prefix, "*") || strings.ContainsFunc(name, control) {
			return fmt.Errorf("layer %s/%s: want a scene id of 1 to 128 bytes, or a prefix that ends in *", kind, name)
		}
	case KindSegment:
		if !slices.Contains(Segments, name) {
			return fmt.Errorf("layer %s/%s: is not a segment (%s)", kind, name, strings.Join(Segments, ", "))
		}
	default:
		return fmt.Errorf("layer %s/%s: is not a kind of layer (global, region, mode, channel, segment)", kind, name)
	}
	return nil
}

func control(r rune) bool { return r < 0x20 || r == 0x7F }

// plain reports whether s is from least to most small letters, digits, - and _.
func plain(s string, least, most int) bool {
	return len(s) >= least && len(s) <= most && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

package policies

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// own is what an app has of its own.
type own struct {
	layers   []policy.Layer
	lists    map[string]policy.List
	settings Settings
}

// document reads one version. An error is policy.Faults.
func (o *own) document(d *store.Policy) error {
	switch d.Layer {
	case store.ListLayer:
		if d.Removed {
			delete(o.lists, d.Name)
			return nil
		}
		l, err := policy.ReadList([]byte(d.Body))
		if err != nil {
			return err
		}
		o.lists[d.Name] = l
	case store.SettingsLayer:
		o.settings = Settings{}
		if d.Removed {
			return nil
		}
		s, err := readSettings([]byte(d.Body))
		if err != nil {
			return err
		}
		o.settings = s
	default:
		kind := policy.LayerKind(d.Layer)
		o.layers = slices.DeleteFunc(o.layers, func(l policy.Layer) bool { return l.Kind == kind && l.Name == d.Name })
		if d.Removed {
			return nil
		}
		l, err := policy.ReadLayer(kind, d.Name, []byte(d.Body))
		if err != nil {
			return err
		}
		o.layers = append(o.layers, l)
	}
	return nil
}

// clone is a copy to change.
func (o *own) clone() own {
	c := own{layers: slices.Clone(o.layers), lists: map[string]policy.List{}, settings: o.settings}
	maps.Copy(c.lists, o.lists)
	return c
}

// with is what an app has once a change is made. An error is policy.Faults.
func (o *own) with(changes ...store.Policy) (own, error) {
	c := o.clone()
	for i := range changes {
		if err := c.document(&changes[i]); err != nil {
			return c, err
		}
	}
	return c, nil
}

// compile lays an app's own layers over those that are built in.
func (k *Keeper) compile(o *own) (*policy.Set, error) {
	layers, words := k.layers(o)
	return policy.Compile(k.deps.Base, layers, words)
}

// layers are an app's own and those that are built in, with the words for them.
func (k *Keeper) layers(o *own) ([]policy.Layer, policy.Words) {
	layers := make([]policy.Layer, 0, len(k.deps.Built)+len(o.layers)+1)
	for _, l := range k.deps.Built {
		if !slices.ContainsFunc(o.layers, func(mine policy.Layer) bool { return mine.Kind == l.Kind && mine.Name == l.Name }) {
			layers = append(layers, l)
		}
	}
	layers = append(layers, o.layers...)
	if o.settings.TimeZone != "" {
		layers = inZone(layers, o.settings.TimeZone)
	}
	words := k.deps.Words
	words.Lists = maps.Clone(words.Lists)
	if words.Lists == nil {
		words.Lists = map[string]policy.List{}
	}
	maps.Copy(words.Lists, o.lists)
	return layers, words
}

// inZone gives layers a time zone that they do not name themselves.
func inZone(layers []policy.Layer, zone string) []policy.Layer {
	for i := range layers {
		if layers[i].Kind != policy.KindGlobal {
			continue
		}
		if layers[i].Settings.TimeZone == "" {
			layers[i].Settings.TimeZone = zone
		}
		return layers
	}
	return append(layers, policy.Layer{Kind: policy.KindGlobal, Name: policy.GlobalName, Settings: policy.Settings{TimeZone: zone}})
}

// make makes what is in force for an app from what is known; k.mu is held. What does
// not compile, though it did when it was stored, is left out and told of: the rest of
// the policy must hold.
func (k *Keeper) make(ctx context.Context, app engines.AppID, was *force) *force {
	o := own{lists: map[string]policy.List{}}
	var docs []store.Policy
	for key, d := range k.docs {
		if key.App == app {
			docs = append(docs, d)
		}
	}
	// In one order, so that gateways agree on which of two comes later.
	slices.SortFunc(docs, func(a, b store.Policy) int { return strings.Compare(a.Layer+"\n"+a.Name, b.Layer+"\n"+b.Name) })
	for i := range docs {
		if err := o.document(&docs[i]); err != nil {
			k.broken(ctx, &docs[i].PolicyKey, err)
		}
	}
	set, err := k.compile(&o)
	if err != nil {
		set, o = k.compileSome(ctx, app, &o)
	}
	f := &force{set: set, own: o}
	if r, ok := k.rollouts[app]; ok {
		f.trial = k.trial(ctx, &r, f, was)
	}
	return f
}

// compileSome leaves layers out one by one until the rest compiles.
func (k *Keeper) compileSome(ctx context.Context, app engines.AppID, o *own) (*policy.Set, own) {
	some := own{lists: o.lists, settings: o.settings}
	set := k.shared.set
	for _, l := range o.layers {
		more := some.clone()
		more.layers = append(more.layers, l)
		next, err := k.compile(&more)
		if err != nil {
			k.broken(ctx, &store.PolicyKey{App: app, Layer: string(l.Kind), Name: l.Name}, err)
			continue
		}
		set, some = next, more
	}
	return set, some
}

func (k *Keeper) broken(ctx context.Context, key *store.PolicyKey, err error) {
	k.deps.Log.ErrorContext(ctx, "a stored policy does not compile and is left out", "app", key.App, "layer", key.Layer, "name", key.Name, "err", firstFault(err))
}

// firstFault is a fault without the words that it may quote.
func firstFault(err error) string {
	faults, ok := errors.AsType[policy.Faults](err)
	if !ok || len(faults) == 0 {
		return "unknown"
	}
	return "at " + faults[0].Pointer
}

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
	"github.com/portcullis-gg/portcullis/engines/image/classify"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/gateway"
)

// modelsConfig says where models lie, and describes those of the operator.
type modelsConfig struct {
	// Dir is the folder; "" is models below --data.
	Dir string         `yaml:"dir"`
	Own []classify.Own `yaml:"own"`
	// Exact has networks compute in float32 on processors that multiply 8 bits or bfloat16 too.
	Exact bool `yaml:"exact"`
}

func (c *modelsConfig) validate() error {
	var errs []error
	names := map[string]bool{}
	for i := range c.Own {
		prefix := fmt.Sprintf("models.own[%d]", i)
		errs = append(errs, c.Own[i].Validate(prefix)...)
		if name := c.Own[i].Name; names[name] || models.Find(name) != nil {
			errs = append(errs, fmt.Errorf("%s.name: %q is another model's", prefix, name))
		} else {
			names[name] = true
		}
	}
	return errors.Join(errs...)
}

// modelKeeper has the models of a gateway or worker: where they lie, which are loaded,
// and what that means for what is detected.
type modelKeeper struct {
	cfg   modelsConfig
	store *models.Store
	board models.Board
	log   *slog.Logger

	mu  sync.Mutex
	set *classify.Set
	// runtime loads the library that runs models, once, and notes what became of it. One that
	// was fetched is checked first; one of the operator's own system is taken as it is.
	runtime func() error
}

func newModelKeeper(cfg modelsConfig, data string, log *slog.Logger) *modelKeeper {
	k := &modelKeeper{cfg: cfg, store: models.NewStore(modelsFolder(cfg, data)), log: log}
	k.runtime = sync.OnceValue(k.load)
	return k
}

func (k *modelKeeper) load() error {
	err := k.start()
	if err != nil {
		k.board.Failed(models.Runtime, err)
		return err
	}
	k.board.Loaded(models.Runtime)
	if err := k.startHalf(); err != nil {
		k.board.Failed(models.Half, err)
		k.log.Info("pictures are looked at in float32", "reason", err)
	}
	return nil
}

// startHalf loads the library that runs networks in bfloat16, where the processor gains by
// that and the operator did not ask for float32.
func (k *modelKeeper) startHalf() error {
	m := models.Find(models.Half)
	if m == nil || k.cfg.Exact {
		return nil
	}
	if err := k.store.Verify(m); err != nil {
		return err
	}
	folder, err := filepath.Abs(filepath.Join(k.store.Dir(), filepath.FromSlash(models.HalfFolder)))
	if err != nil {
		return err
	}
	if err := onnx.StartHalf(folder); err != nil {
		return err
	}
	k.board.Loaded(models.Half)
	return nil
}

func (k *modelKeeper) start() error {
	path, err := onnx.Find(k.store.Dir())
	if err != nil {
		return err
	}
	own, err := filepath.Abs(k.store.Dir())
	if err != nil {
		return err
	}
	if m := models.Find(models.Runtime); m != nil && strings.HasPrefix(path, own+string(filepath.Separator)) {
		if err := k.store.Verify(m); err != nil {
			return err
		}
	}
	return onnx.Start(path)
}

// detectors loads, at the first call, what looks at pictures. What can't be loaded is
// logged and stands in the status; the gateway goes on without it.
func (k *modelKeeper) detectors() []image.Detector {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.set == nil {
		if err := k.runtime(); err != nil {
			k.log.Warn("pictures are not looked at by models", "reason", err)
		}
		set, err := classify.Load(k.store, k.cfg.Own, k.cfg.Exact, &k.board)
		if err != nil {
			k.log.Error("a model of the configuration is not loaded", "reason", err)
		}
		k.set = set
	}
	return k.set.Detectors()
}

// close frees what was loaded, once nothing looks at pictures any more.
func (k *modelKeeper) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.set == nil {
		return nil
	}
	return k.set.Close()
}

// loaded names what this process looks with, by a hash of the names and contents of
// the models that were loaded: what is remembered of a picture is no longer so with
// others. Those of the manifest are held against their sha256 when they are read.
func (k *modelKeeper) loaded() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	sum := sha256.New()
	note := func(id, contents string) {
		if n, ok := k.board.Of(id); ok && n.State == models.StateLoaded {
			_, _ = fmt.Fprintf(sum, "%q %q\n", id, contents) // a hash takes everything
		}
	}
	for _, m := range models.Manifest() {
		for _, f := range m.Files {
			note(m.ID, f.SHA256)
		}
	}
	for i := range k.cfg.Own {
		o := k.cfg.Own[i]
		digest := ""
		if k.set != nil {
			digest = k.set.SHA256(o.Name)
		}
		note(o.Name, fmt.Sprintf("%s %+v", digest, o))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Models says what became of each model.
func (k *modelKeeper) Models() gateway.ModelReport {
	r := gateway.ModelReport{Folder: k.store.Dir()}
	if v := onnx.Version(); v != "" {
		r.Runtime = "ONNX Runtime " + v
		if v := onnx.HalfVersion(); v != "" {
			r.Runtime += "; pictures in bfloat16 by OpenVINO " + v
		}
	}
	for _, m := range models.Manifest() {
		r.Models = append(r.Models, k.status(m))
	}
	for i := range k.cfg.Own {
		r.Models = append(r.Models, k.ownStatus(&k.cfg.Own[i]))
	}
	by := map[engines.Category][]string{}
	for _, m := range r.Models {
		for _, a := range m.Detects {
			if list := by[a.Category]; m.State == models.StateLoaded && !slices.Contains(list, m.ID) {
				by[a.Category] = append(list, m.ID)
			}
		}
	}
	for _, c := range pictured {
		r.Categories = append(r.Categories, gateway.ModelCoverage{Category: c.category, What: c.what, By: by[c.category], Besides: c.besides})
	}
	return r
}

func (k *modelKeeper) status(m *models.Model) gateway.ModelStatus {
	s := gateway.ModelStatus{
		ID: m.ID, Kind: string(m.Kind), Name: m.Name, Version: m.Version, Licence: m.Licence, Origin: m.Origin, Limits: m.Limits,
		Package: string(m.From.Registry) + ":" + m.From.Name + "@" + m.From.Version,
	}
	for _, f := range m.Files {
		s.Files = append(s.Files, gateway.ModelFile{Name: f.Name, SHA256: f.SHA256, Bytes: f.Size})
	}
	for _, a := range m.Detects {
		s.Detects = append(s.Detects, gateway.ModelAbility{Category: a.Category, SubLabel: a.SubLabel, What: a.What})
	}
	s.State, s.Reason = k.state(m)
	return s
}

func (k *modelKeeper) ownStatus(o *classify.Own) gateway.ModelStatus {
	s := gateway.ModelStatus{
		ID: o.Name, Kind: "own", Name: o.Name, Licence: o.Licence, Limits: o.Limits, State: models.StateUnused,
		Files: []gateway.ModelFile{{Name: filepath.Base(o.File), SHA256: o.SHA256}},
	}
	for _, label := range o.Labels {
		if f, ok := o.Finds[label]; ok {
			s.Detects = append(s.Detects, gateway.ModelAbility{Category: f.Category, SubLabel: f.SubLabel, What: label})
		}
	}
	if n, ok := k.board.Of(o.Name); ok {
		s.State, s.Reason = n.State, n.Reason
	}
	return s
}

// state is what became of a model of the manifest.
func (k *modelKeeper) state(m *models.Model) (state, reason string) {
	if n, ok := k.board.Of(m.ID); ok {
		return n.State, n.Reason
	}
	if err := k.store.Look(m); err != nil {
		return models.StateMissing, err.Error()
	}
	return models.StateUnused, ""
}

// pictured is what pictures can show that a game may want to know, and what tells it
// besides models.
var pictured = []struct {
	category      engines.Category
	what, besides string
}{
	{engines.Nudity, "nudity and sexual acts", ""},
	{engines.SemiNudity, "scantily dressed people, sexually posed", ""},
	{engines.Gore, "injury, blood, corpses", ""},
	{engines.Violence, "weapons", ""},
	{engines.Extremism, "symbols of terrorism and extremism", "pictures that an operator's bank knows"},
	{engines.ChildSafety, "sexual abuse of children", "pictures that a hash list knows; nothing else"},
	{engines.IPInfringement, "pictures and marks of others", "pictures that an operator's bank knows"},
	{engines.MaliciousLink, "links to harmful sites", "text and codes in the picture, through the link rules"},
	{engines.Advertising, "improper advertising", "text and codes in the picture, through the text engine"},
}

// component is the models' line in the gateway's health.
func (k *modelKeeper) component() gateway.Component {
	c := gateway.Component{Name: "models", State: "ok"}
	loaded, wrong := 0, []string(nil)
	for _, m := range k.Models().Models {
		switch m.State {
		case models.StateLoaded:
			loaded++
		case models.StateFailed, models.StateMissing:
			wrong = append(wrong, m.ID)
		}
	}
	c.Detail = fmt.Sprintf("%d loaded", loaded)
	if len(wrong) > 0 {
		// Not degraded: a gateway for text alone needs none.
		c.State, c.Detail = "absent", c.Detail+"; not there: "+strings.Join(wrong, ", ")
	}
	return c
}

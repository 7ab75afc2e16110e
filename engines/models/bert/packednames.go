package bert

import (
	"fmt"
	"strconv"
	"strings"
)

// sides are the ends of names in a packed encoder, and those of the published one.
var sides = map[string]string{"w": "weight", "b": "bias"}

// parts are a layer's, with how many values a row of each matrix has.
var parts = map[string]struct {
	name string
	in   int // 0 for a normalisation
}{
	"q": {"attention.self.query", width}, "k": {"attention.self.key", width}, "v": {"attention.self.value", width},
	"ao": {"attention.output.dense", width}, "aln": {"attention.output.LayerNorm", 0},
	"fi": {"intermediate.dense", width}, "fo": {"output.dense", inner}, "oln": {"output.LayerNorm", 0},
}

// publishedName is a tensor's name where the encoder was published, and its shape if it has n
// values; "" for one that isn't used.
func publishedName(name string, n int) (published string, shape []int) {
	switch name {
	case "emb.word":
		return "embeddings.word_embeddings.weight", []int{n / width, width}
	case "emb.pos":
		return "embeddings.position_embeddings.weight", []int{n / width, width}
	case "emb.type":
		return "embeddings.token_type_embeddings.weight", []int{n / width, width}
	case "emb.ln.w":
		return "embeddings.LayerNorm.weight", []int{n}
	case "emb.ln.b":
		return "embeddings.LayerNorm.bias", []int{n}
	}
	layer, rest, _ := strings.Cut(strings.TrimPrefix(name, "l"), ".")
	part, side, _ := strings.Cut(rest, ".")
	i, err := strconv.Atoi(layer)
	to, known := parts[part]
	if err != nil || i < 0 || i >= layers || !known || sides[side] == "" {
		return "", nil
	}
	published = fmt.Sprintf("encoder.layer.%d.%s.%s", i, to.name, sides[side])
	if to.in == 0 || side == "b" {
		return published, []int{n}
	}
	return published, []int{n / to.in, to.in}
}

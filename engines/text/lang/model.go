package lang

import (
	_ "embed" // the table is part of the program
	"encoding/binary"
	"fmt"
	"math"
	"sync"
)

// Slots is how many languages a bucket speaks for.
const Slots = 6

const magic = "PLID0001"

// bucket names languages and what it says for each, in 1/Scale of a nat.
type bucket struct {
	tags    [Slots]Tag
	weights [Slots]int8
}

// Scale is what a weight of the table is divided by to give nats.
const Scale = 24

// table is the model.
type table struct {
	buckets [Buckets]bucket
	prior   [256]int32 // nats times Scale: how often the language is met, and its bias
	// heat flattens the scores so that probabilities are honest.
	heat float32
}

//go:embed weights/lang.bin
var weights []byte

// loaded is the table that is built in; a fault in it is a fault of the build.
var loaded = sync.OnceValue(func() *table {
	t, err := decode(weights)
	if err != nil {
		panic(err)
	}
	return t
})

// decode reads a table as Encode writes it.
func decode(data []byte) (*table, error) {
	size := len(magic) + 4 + 4*count + Buckets*2*Slots
	if len(data) != size || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("lang: weights of %d bytes, want %d", len(data), size)
	}
	data = data[len(magic):]
	t := &table{heat: math.Float32frombits(binary.LittleEndian.Uint32(data))}
	data = data[4:]
	for i := range count {
		t.prior[i] = int32(binary.LittleEndian.Uint32(data)) //nolint:gosec // written from an int32
		data = data[4:]
	}
	for i := range t.buckets {
		b := &t.buckets[i]
		for k := range Slots {
			b.tags[k], b.weights[k] = Tag(data[k]), int8(data[Slots+k]) //nolint:gosec // written from an int8
			if int(b.tags[k]) >= count {
				return nil, fmt.Errorf("lang: bucket %d names language %d of %d", i, b.tags[k], count)
			}
		}
		data = data[2*Slots:]
	}
	return t, nil
}

// Encode writes a table: for every bucket the languages and their weights, for every
// language its prior in 1/Scale of a nat, and the heat that the scores are divided by.
func Encode(tags [][Slots]Tag, weights [][Slots]int8, prior []int32, heat float32) []byte {
	out := append([]byte(nil), magic...)
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(heat))
	for _, p := range prior {
		out = binary.LittleEndian.AppendUint32(out, uint32(p)) //nolint:gosec // read back as an int32
	}
	for i := range tags {
		for k := range Slots {
			out = append(out, byte(tags[i][k]))
		}
		for k := range Slots {
			out = append(out, byte(weights[i][k])) //nolint:gosec // read back as an int8
		}
	}
	return out
}

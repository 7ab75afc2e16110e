package text

import (
	_ "embed" // the table below
	"strings"
	"sync"
)

//go:embed data/components.txt
var componentsData string

// components are Han characters by the parts that stand for them.
var components = sync.OnceValue(readComponents)

type componentTable struct {
	starts map[rune]bool
	by     map[rune][]component
}

type component struct {
	parts []rune
	whole []rune
}

func readComponents() componentTable {
	t := componentTable{starts: map[rune]bool{}, by: map[rune][]component{}}
	for line := range strings.Lines(componentsData) {
		fields := strings.Fields(line)
		if len(fields) != 2 || line[0] == '#' {
			continue
		}
		parts := []rune(fields[0])
		t.starts[parts[0]] = true
		t.by[parts[0]] = append(t.by[parts[0]], component{parts, []rune(fields[1])})
	}
	return t
}

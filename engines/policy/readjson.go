package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxDepth bounds how deep JSON may nest, as everywhere on the wire.
const maxDepth = 32

// parseJSON makes the tree of a JSON document that parse makes of YAML, so that
// both are read by the same rules. YAML's own reader does not take all of JSON:
// characters beyond U+FFFF are two escapes there.
func parseJSON(data []byte) (*yaml.Node, *Fault) {
	j := jsonTree{dec: json.NewDecoder(bytes.NewReader(data)), data: data, line: 1}
	j.dec.UseNumber()
	n, err := j.next(0)
	if err == nil {
		if _, err := j.dec.Token(); errors.Is(err, io.EOF) {
			return n, nil
		}
		err = errors.New("something stands behind the document")
	}
	j.advance()
	return nil, &Fault{Line: j.line, Reason: "is not JSON: " + err.Error()}
}

type jsonTree struct {
	dec  *json.Decoder
	data []byte
	read int // bytes whose lines are counted
	line int
}

// advance counts the lines up to where the decoder stands.
func (j *jsonTree) advance() int {
	at := min(int(j.dec.InputOffset()), len(j.data))
	j.line += bytes.Count(j.data[j.read:at], []byte{'\n'})
	j.read = at
	return j.line
}

func (j *jsonTree) next(depth int) (*yaml.Node, error) {
	if depth > maxDepth {
		return nil, errors.New("is nested too deep")
	}
	token, err := j.dec.Token()
	if err != nil {
		return nil, err
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: j.advance()}
	switch t := token.(type) {
	case json.Delim:
		n.Kind = yaml.SequenceNode
		if t == '{' {
			n.Kind = yaml.MappingNode // whose keys are read as the values are: strings
		}
		for j.dec.More() {
			child, err := j.next(depth + 1)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
		}
		if _, err := j.dec.Token(); err != nil {
			return nil, err
		}
		j.advance()
	case string:
		n.Tag, n.Value = "!!str", t
	case json.Number:
		n.Tag, n.Value = "!!int", t.String()
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Value = "!!bool", "false"
		if t {
			n.Value = "true"
		}
	case nil:
		n.Tag = "!!null"
	}
	return n, nil
}

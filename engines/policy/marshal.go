package policy

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Format is how a document is written.
type Format string

// The formats.
const (
	YAML Format = "yaml"
	// JSON has its keys sorted, so that equal settings are equal texts.
	JSON Format = "json"
)

// MarshalSettings writes settings; ReadSettings reads them back.
func MarshalSettings(s Settings, f Format) ([]byte, error) { return marshal(s, f) }

// MarshalList writes a list; ReadList reads it back.
func MarshalList(l List, f Format) ([]byte, error) { return marshal(l, f) }

func marshal(v any, f Format) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("write policy: %w", err)
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("write policy: %w", err)
	}
	if f == YAML {
		return b.Bytes(), nil
	}
	var tree any
	if err := yaml.Unmarshal(b.Bytes(), &tree); err != nil {
		return nil, fmt.Errorf("write policy: %w", err)
	}
	out, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("write policy: %w", err)
	}
	return out, nil
}

// Package policies holds the layers that are built into Portcullis: what holds for
// a game that has set nothing of its own. README.md tells how they work.
package policies

import "embed"

// Files are the layers, KIND/NAME.yaml, and the word lists, lists/NAME.yaml.
//
//go:embed */*.yaml
var Files embed.FS

// Package lexicons holds the word lists that are built into Portcullis. They were
// written for it. What each key means is told at the top of en.yaml; engines/text
// reads them and runs their tests.
package lexicons

import "embed"

// Files are the lists, one *.yaml a language.
//
//go:embed *.yaml
var Files embed.FS

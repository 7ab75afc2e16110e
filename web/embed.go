// Package web holds the built pages and the HTTP contract, so that the binary
// serves both without Node and without files beside it.
//
// Dist has two pages and their assets:
//
//	console/index.html    serve at /console/   Cache-Control: no-store
//	demo/index.html       serve at /demo/      Cache-Control: no-store; development only
//	console/assets/*      serve at /console/assets/   hashed names: public, max-age=31536000, immutable
//
// The demo's page takes its assets from ../console/assets/, so /console/assets/
// is all that both need. All addresses in the pages are relative (the API is at
// ../api/v1/): a prefix in front of everything is kept. Places within the
// console are in the fragment; no other path has to answer with index.html.
// /console and /demo without the slash have to be redirected to it.
//
// The pages live under this policy, which the gateway has to send with them:
// [ContentSecurityPolicy].
//
// dist is made from src by `npm ci && npm run build` and is committed; the same
// lock file gives the same bytes.
package web

import (
	"embed"
	"io/fs"
)

// ContentSecurityPolicy is the strictest policy under which both pages work:
// no inline script or style, nothing from elsewhere, no framing. Recordings are played
// from memory, where they lie as blobs once they are fetched.
const ContentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; media-src 'self' blob:; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

//go:embed all:dist
var dist embed.FS

//go:embed api/openapi.yaml
var openapi []byte

//go:embed api/asyncapi.yaml
var asyncapi []byte

// Dist returns the built pages, rooted at what the package comment lists. It is
// safe for concurrent use.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("web: dist is not embedded: " + err.Error()) // a valid constant path: can't happen
	}
	return sub
}

// OpenAPI returns the HTTP contract, OpenAPI 3.1 in YAML. The caller may change
// what it gets.
func OpenAPI() []byte { return append([]byte(nil), openapi...) }

// AsyncAPI returns the stream's contract, AsyncAPI 3 in YAML. The caller may
// change what it gets.
func AsyncAPI() []byte { return append([]byte(nil), asyncapi...) }

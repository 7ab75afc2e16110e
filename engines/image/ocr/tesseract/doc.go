// Package tesseract reads single lines of text with the Tesseract library (5.x), which
// knows scripts that engines/image/ocr has no network for. It is the only package that
// knows that library: it loads it at run time by its C interface (capi.h), so neither
// building nor starting needs it. Whole pictures are not its business: on a busy
// background its own search for lines finds mostly what is none.
package tesseract

import "errors"

// Errors of this package.
var (
	// ErrNotBuilt: the binary was built without cgo, so it can load no library.
	ErrNotBuilt = errors.New("not in this build: Tesseract needs a build with CGO_ENABLED=1")
	// ErrNoLibrary: the system has no libtesseract.so.5.
	ErrNoLibrary = errors.New("no Tesseract library (libtesseract.so.5; Debian: libtesseract5)")
	// ErrClosed: the language was closed.
	ErrClosed = errors.New("the language is closed")
)

// Gray is a line of text on one byte a pixel, without gaps.
type Gray struct {
	Width, Height int
	Pix           []byte
}

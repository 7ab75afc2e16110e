// Package ocr finds and reads lines of text in pictures: a network of PP-OCR finds the
// lines, however they are turned, another reads each (Chinese, Japanese, Latin), and what
// that is unsure of is shown to networks for Korean and Thai and to Tesseract (Vietnamese).
// A picture without text costs the first step alone.
//
// It knows nothing of what text may mean: engines/image has the text engine look at what
// was read. The runtime of the networks is engines/onnx, which has to be started before.
package ocr

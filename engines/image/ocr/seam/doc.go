// Package seam says what stands between two letters of a line: nothing, a space, or a small sign
// that the reader of letters leaves out. It looks at the picture between them with a network of
// 25,000 weights, two convolutions and three layers, which was taught on drawn lines (CARD.md).
package seam

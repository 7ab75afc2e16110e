// Package code reads QR codes and bar codes in pictures: rotated, inverted, several at
// once, of low contrast, small. Where there is none, which is most pictures, it knows
// so soon: Reader looks itself for what every QR code has (finder patterns, ISO/IEC
// 18004 section 6.3.3) and every bar code (edges that many rows share), at three
// scales, and only where they are does it have gozxing sample and decode.
//
// Read are QR codes (mirrored ones too), EAN-8, EAN-13, UPC-A, UPC-E, Code 39, Code
// 128 and ITF whose bars stand within 30 degrees of upright or level, and in pictures
// that show little else Data Matrix and Aztec. PDF417 and Micro QR are not. codetest makes pictures to
// measure on.
//
// What a code says is left to the text engine.
package code

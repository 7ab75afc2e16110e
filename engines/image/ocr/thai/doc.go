// Package thai is the network that reads lines of Thai: the convolutions of PP-OCRv6's
// recogniser as they are, and a head of our own on them, which was taught by train/ (CARD.md).
package thai

// Package classify is a small trained text classifier: a logistic regression over
// hashed character and word n-grams, with one eight-lane row of int8 weights for
// every feature, so that one load serves all heads. It reads a message as words
// of folded runes, which the caller makes; what a message is and what follows
// from a score are left to engines/text.
//
// Training lives in engines/text/train, which reads messages through the same
// Input, so that the model is asked what it was taught.
package classify

// Package train makes the weights of engines/text/classify: from rows of public
// data sets that may train what ships and from lines written for Portcullis. It
// reads every row with the text engine itself, so that the model learns from what
// it will see, and does the same each time: one seed, one order, one result.
//
// The recipe and what each step of it gives are in MODEL_CARD.md.
package train

// Package gist reads a message in any of a hundred languages as a whole and says how likely it
// offers something for money, offers or asks for a crime, holds personal data, and abuses
// people: a small pretrained encoder (the first six layers of multilingual-e5-small, of 384
// values) whose upper layers were trained further on labelled messages. Like
// engines/text/meaning it is the text engine's second stage, for the few messages that the
// first is unsure of; who asks, and what becomes of the answer, is engines/text's business.
//
// A text is cut into pieces as SentencePiece's unigram models do it; the pieces and their
// vectors stay in their file (engines/models/unigram), and the layers run in ONNX Runtime on
// the thread that asks. The files are of engines/models; without them, or without the
// library, there is no Model.
package gist

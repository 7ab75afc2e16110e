// Package meaning reads an English sentence as a whole and says how likely it attacks people
// for what they are: a small pretrained encoder (all-MiniLM-L6-v2, six layers of 384 values,
// 8 bits) whose upper layers were trained further on labelled sentences. It is the text
// engine's second stage, for the few messages that the first is unsure of; who asks, and what
// becomes of the answer, is engines/text's business, how long is waited for one
// engines/text/reading's.
//
// Words are cut into pieces as BERT's uncased tokeniser does it, looked up in a table whose
// vectors stay in their file, and the layers run in ONNX Runtime on the thread that asks. The files
// are of engines/models; without them, or without the library, there is no Model.
package meaning

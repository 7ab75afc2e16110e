// Package image looks at pictures. Engine is what looks: it decodes a picture under
// guards, hashes it and has its detectors, its text reader and its code reader look
// at the frames that say the most; it learns what the picture is (engines.MediaFacts)
// and returns what the picture shows. It may run in a worker far from the gateway.
//
// Reader is the gateway's side: it remembers pictures that it has seen, asks the
// banks of known pictures, and has the text engine read the lines and the links that
// were found, since policy's words and an app's banks are the gateway's to know.
//
// Decoding is decode's, hashes are pdq's, text is ocr's; what to make of findings is
// left to engines/policy.
package image

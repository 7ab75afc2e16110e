// Package unigram is a table of the pieces that texts are cut into for a multilingual network,
// with what the network takes of each: it is written once, when the network is fetched, and
// read where it lies. A quarter of a million pieces and their vectors are 60 MB, of which a
// text needs a few hundred places; so next to nothing is held in memory, and the rest is read
// from the file when it is asked for: what is mapped would count for the process page by page.
//
// Numbers in the file are little-endian:
//
//	magic      8 bytes
//	head       fourteen uint32: see head
//	positions  m·d float32: what is added where a piece stands
//	gamma      d float32, and beta after it: of the normalisation
//	from       c uint32: characters that are written as others, in order
//	ends       c uint32: where what each is written as ends
//	to         t uint32: what they are written as
//	filter     2^f bits: three of each piece are set
//	places     2^b uint32: where each bucket ends
//	buckets    of each piece its length in one byte, letters, float32 score, three bytes of its number
//	rows       n·d/32·18 bytes: vectors in 4 bits, see Spread
package unigram

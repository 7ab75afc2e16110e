// Package pdq makes the perceptual hash PDQ of a picture: 256 bits, of which copies
// that were recompressed, resized or lightly edited share nearly all. It follows "The
// TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm" (Facebook, 2019)
// and gives, bit for bit, what its reference implementation does, so that hashes can be
// exchanged. What hashes are compared with is for others.
package pdq

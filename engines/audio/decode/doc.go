// Package decode reads sound files that nobody can be trusted to have made. Read looks
// at the headers alone: what the content is, how long, how many channels, at what rate;
// what is over the limits is refused before anything is unpacked. Unpack gives the sound
// as all that listens wants it: 16 kHz, mono, in blocks, one at a time.
//
// Formats: WAV (PCM of 8 to 32 bits, float, A-law, µ-law, extensible, RF64), MP3 (MPEG-1
// and MPEG-2 layer III), FLAC and Ogg/Opus (mono and stereo, chained). All else is an
// engines.Refusal that names them.
//
// What players make of a file that is a little wrong is what is heard, so that is
// listened to: sizes that lie are bounded by the file, one that ends early is heard as
// far as it goes, a frame that can't be decoded is silence for as long as it lasts.
package decode

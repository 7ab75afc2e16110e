// Package lang tells in which language a short chat message is written.
//
// Where the script decides (kana, Hangul, Thai, Greek, Georgian and thirty more) it
// decides; within Latin, Cyrillic, Arabic, Devanagari, Hebrew and Bengali letters and
// among Han characters a table of hashed n-grams does: of words, all runs of three and
// four letters and the word itself; of Han characters, each one and each pair. A
// bucket of the table names the few languages that it speaks for, so that a message
// costs what its letters cost and not what all the languages do.
//
// A hint is evidence like a few letters are: clear text in another language beats it.
//
// # Source
//
// The table in weights/ is made by the program in engines/text/lang/train from
// sentences that may be used so: Tatoeba as collected in LASER (CC-BY 2.0 FR), the
// corpora of chatterbot (BSD), menus of Terasology (Apache-2.0), Warframe (MIT) and
// Pokémon Showdown (MIT), and clean or labelled chat under MIT, Apache, CC0, CC-BY and
// CC-BY-SA licences, together with words written for it (seeds.go) where no sentences
// were to be had.
//
// # Limits
//
// Messages of one or two words are often of several languages; P says so. Languages
// that people themselves tell apart by a few words (Bosnian, Croatian and Serbian;
// Indonesian and Malay; Bokmål, Nynorsk and Danish) are mixed up; Kin treats them as
// one. Romanised Hindi and Arabic are known from few lines. A language that is not in
// Tags comes out as its nearest neighbour.
package lang

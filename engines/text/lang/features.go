package lang

import "unicode/utf8"

const (
	// Buckets is the number of buckets that n-grams are hashed to.
	Buckets = 1 << bits
	bits    = 17
	// longest bounds the runes that are read: more say nothing more.
	longest = 320
	// most bounds the features of a message: three a rune.
	most = 3 * longest
)

// feature is an n-gram: its bucket and the word that it is of.
type feature struct {
	bucket uint32
	word   uint16
}

// reader takes a message apart. It is reused between messages.
type reader struct {
	features [most]feature
	n        int
	words    int
	script   [count]uint16 // letters of deciding scripts, by Tag
	letters  int           // letters and characters read
	spoken   int           // of these, letters of deciding scripts
	// The word that is being read, its letters, and whether an at sign is before it.
	word            [32]rune
	length, spelled int
	mention         bool
	before          rune // the Han character before
	form            int  // characters in Traditional form less those in Simplified
}

// read fills the reader from s.
func (d *reader) read(s string) {
	rows := theRows()
	d.reset()
	for i, read := 0, 0; i < len(s) && read < longest; read++ {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		var k kind
		if r < low {
			row := rows[r]
			r, k = rune(row.lower), row.kind
		} else {
			r, k = rare(r)
		}
		if k == kindLetter || k == kindDigit {
			if d.length < len(d.word) {
				d.word[d.length] = r
				d.length++
			}
			if k == kindLetter {
				d.spelled++
			}
			continue
		}
		d.end()
		d.other(r, k)
	}
	d.end()
}

func (d *reader) reset() {
	d.n, d.words, d.letters, d.length, d.spelled, d.before, d.mention, d.form = 0, 0, 0, 0, 0, 0, false, 0
	if d.spoken > 0 {
		d.script, d.spoken = [count]uint16{}, 0
	}
}

// end ends a word, if there is one. A number is none, nor is somebody's name.
func (d *reader) end() {
	if d.length == 0 {
		return
	}
	if d.spelled > 0 && !d.mention {
		d.cut(d.length, d.spelled)
	}
	d.length, d.spelled, d.mention = 0, 0, false
}

// other reads what is no letter of a word.
func (d *reader) other(r rune, k kind) {
	switch {
	case k == kindHan:
		d.han(d.before, r)
		d.before = r
		return
	case k >= kindTag:
		d.script[k-kindTag]++
		d.spoken++
		d.letters++
	case k == kindAt:
		d.mention = true
	}
	d.before = 0
}

// mix spreads a hash over the buckets.
func mix(h uint32) uint32 { return (h * 0x9E3779B1) >> (32 - bits) }

// cut adds the n-grams of the word in d.word[:n].
func (d *reader) cut(n, letters int) {
	if d.n+3*n+4 > most {
		return
	}
	word := d.word[:n]
	at, w := d.n, uint16(d.words)
	d.words++
	d.letters += letters
	a, b, c := uint32(0), uint32(' '), uint32(word[0])
	whole := uint32(word[0]) * 0x01000193
	for i := 1; i <= n; i++ {
		next := uint32(' ')
		if i < n {
			next = uint32(word[i])
			whole = (whole ^ next) * 0x01000193
		}
		three := b*0x8DA6B343 + c*0xD8163841 + next*0xCB1AB31F
		d.features[at] = feature{mix(three ^ three>>15), w}
		at++
		if a != 0 {
			four := three + a*0x165667B1 + 0x27D4EB2F
			d.features[at] = feature{mix(four ^ four>>15), w}
			at++
		}
		if c >= 0x80 {
			one := c*0x85EBCA6B + 0xC2B2AE35
			d.features[at] = feature{mix(one ^ one>>15), w}
			at++
		}
		a, b, c = b, c, next
	}
	whole = whole*0x85EBCA6B + 0x1B873593
	d.features[at] = feature{mix(whole ^ whole>>15), w}
	d.n = at + 1
}

// han adds a Han character and the pair that it ends.
func (d *reader) han(before, r rune) {
	d.form += formOf(r)
	if d.n+2 > most {
		return
	}
	one := uint32(r)*0x85EBCA6B + 0x7FEB352D
	d.features[d.n] = feature{mix(one ^ one>>15), uint16(d.words)}
	d.n++
	if before != 0 {
		two := uint32(before)*0x8DA6B343 + uint32(r)*0xD8163841 + 0x68E31DA4
		d.features[d.n] = feature{mix(two ^ two>>15), uint16(d.words)}
		d.n++
	}
	d.letters++
	d.words++
}

// Features calls visit with the bucket of every n-gram of s, in order. It is what
// the training program learns from.
func Features(s string, visit func(bucket uint32)) {
	var d reader
	d.read(s)
	for _, f := range d.features[:d.n] {
		visit(f.bucket)
	}
}

package text

import (
	"sync"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// folded is what one rune of a message becomes.
type folded struct {
	// r is the folded rune, or, where n > 1, where its n runes begin in folds.pool.
	r     rune
	n     uint8
	class class
	// alt is the Latin letter that the rune looks like, 0 when none.
	alt   byte
	loose bool // alt counts only beside Latin letters
	upper bool // a capital letter
	hint  hint // what the message may need beyond this
	step  step // stepCompat or stepMark where folding changed more than case
	tones tones
}

// hint is a set of reasons to read a message in further ways.
type hint uint16

const (
	hintLine     hint = 1 << iota // a line break: letters may be written downwards
	hintOverride                  // what follows is shown from right to left
	hintTag                       // an invisible letter
	hintCode                      // a sign that begins a reference or an escape
	hintBracket                   // a sign that letters are drawn with
	hintPart                      // a part of a Han character
	hintTurned                    // a letter upside down
	hintTurkish                   // a letter that only Turkish and its neighbours have
	hintKeys                      // a sign that is a letter on other keyboards
	hintDigit                     // a digit: it may be nothing but a veil
)

// folds answers what each rune becomes. It is built once and never changes.
type folds struct {
	pages [0x1100][]folded // by rune>>8; nil where the rune folds to itself
	pool  []rune
	alts  map[rune]lookalike
	simp  map[rune]rune
}

// longestFold bounds what one rune becomes, so that a short message does not cost as much
// as a long one.
const longestFold = 4

var theFolds = sync.OnceValue(newFolds)

// newFolds builds the tables: about 10 ms, once a process.
func newFolds() *folds {
	f := &folds{alts: lookalikes(), simp: simplified()}
	fold := cases.Fold()
	for page := range f.pages {
		first := rune(page << 8)
		if !foldedPage(first) {
			continue
		}
		rows := make([]folded, 256)
		for i := range rows {
			r := first + rune(i)
			rows[i] = f.make(r, fold)
			rows[i].upper = unicode.IsUpper(r)
			rows[i].hint = hintOf(r)
			rows[i].tones = tonesOf(r)
			if r == 'ı' {
				rows[i].step |= stepDotless
			}
		}
		f.pages[page] = rows
	}
	return f
}

// foldedPage reports whether any rune of the page can change.
func foldedPage(first rune) bool {
	return first < 0x4E00 || first >= 0x4E00 && first < 0xA000 || first >= 0xA000 && first < 0xAC00 ||
		first >= 0xD700 && first < 0xD800 || first >= 0xF900 && first < 0x14700 || first >= 0x16000 && first < 0x17000 ||
		first >= 0x1B000 && first < 0x1B200 || first >= 0x1CC00 && first < 0x20000 || first >= 0x2F800 && first < 0x2FB00 ||
		first >= 0xE0000 && first < 0xE0200
}

// of returns what r becomes.
func (f *folds) of(r rune) folded {
	if page := int(r) >> 8; page < len(f.pages) && f.pages[page] != nil {
		return f.pages[page][r&0xFF]
	}
	return folded{r: r, n: 1, class: classify(r)}
}

// make computes the row of one rune.
func (f *folds) make(r rune, fold cases.Caser) folded {
	switch {
	case isVoicedMark(r):
		return folded{r: voicedMark(r), n: 1, class: classMark}
	case r == 0x2800: // braille blank, used as an invisible space
		return folded{r: ' ', n: 1, class: classSep}
	case ignorable(r):
		if extends(r) {
			return folded{class: classMark}
		}
		return folded{class: classIgnore, step: stepInvisible}
	case r >= 0x4E00 && r <= 0x9FFF:
		if s, ok := f.simp[r]; ok {
			return folded{r: s, n: 1, class: classHan}
		}
		return folded{r: r, n: 1, class: classHan}
	case r >= 0xAC00 && r <= 0xD7A3:
		return folded{r: r, n: 1, class: classHangul}
	case r >= 0x13A0 && r <= 0x13F5: // Cherokee folds to its capitals, which the library folds on
		return folded{r: r, n: 1, class: classAlpha, alt: f.alts[r].letter, loose: f.alts[r].loose}
	}
	if j, ok := compatJamo(r); ok {
		return folded{r: j, n: 1, class: classHangul}
	}
	return f.compute(r, fold)
}

// compute folds r by the general rule: compatibility form, case, accents.
func (f *folds) compute(r rune, fold cases.Caser) folded {
	compat, ok := compatForm(r)
	if !ok {
		return folded{r: r, n: 1, class: classify(r)}
	}
	var out []rune
	st := foldSteps(r, compat)
	for _, c := range norm.NFKC.String(fold.String(compat)) {
		out = f.appendBare(out, c)
	}
	row := folded{step: st, class: classMark}
	if a, ok := f.alts[r]; ok {
		row.alt, row.loose = a.letter, a.loose
	}
	switch len(out) {
	case 0:
		return row
	case 1:
		row.r, row.n, row.class = out[0], 1, classify(out[0])
		// The small letter decides, unless only the capital looks Latin (Н, В); the
		// prototype of capital I is l, which a reader does not see in a small i.
		if a, ok := f.alts[out[0]]; ok && (!a.loose || row.alt == 0 || row.alt == 'l') {
			row.alt, row.loose = a.letter, a.loose
		}
		if r >= 0x30A1 && r <= 0x30FF || r >= 0xFF66 && r <= 0xFF9D {
			row.class = classKata
		}
		if row.class == classLatin && (row.r < 'a' || row.r > 'z') {
			row.r = unicode.ToLower(row.r)
		}
		if row.r < 0x80 {
			row.alt = 0
		}
		return row
	}
	row.r, row.n, row.class = rune(len(f.pool)), uint8(min(len(out), longestFold)), classify(out[0])
	f.pool = append(f.pool, out[:row.n]...)
	return row
}

// hintOf returns what r is a reason for.
func hintOf(r rune) hint {
	switch {
	case r >= '0' && r <= '9':
		return hintDigit
	case r == '"':
		return hintBracket
	case r == '\n' || r == 0x2028 || r == 0x2029 || r == 0x85:
		return hintLine
	case r == 0x202E || r == 0x2067:
		return hintOverride
	case r >= 0xE0020 && r <= 0xE007E:
		return hintTag
	case r == '&' || r == '%' || r == '\\':
		return hintCode | hintBracket
	case r == '|' || r == '/' || r == '<' || r == '(' || r == '[' || r == '{' || r == '_' || r == '>' || r == ']' || r == '}':
		if r == '[' || r == ']' || r == '{' || r == '}' || r == '<' || r == '>' {
			return hintBracket | hintKeys
		}
		return hintBracket
	case r == ';' || r == ',' || r == '`' || r == '\'':
		return hintKeys
	case r == 'ı' || r == 'İ' || r == 'ğ' || r == 'Ğ' || r == 'ş' || r == 'Ş':
		return hintTurkish
	}
	if _, ok := turned[r]; ok && r >= 0x80 {
		return hintTurned
	}
	if components().starts[r] {
		return hintPart
	}
	return 0
}

// foldSteps says what folding r to compat and taking its accents off changes.
func foldSteps(r rune, compat string) step {
	var st step
	if compat != string(r) {
		st = stepCompat
	}
	bare := []rune(norm.NFD.String(compat))
	// In Arabic the hamza comes and goes with the writer.
	if string(bare) != compat && unicode.Is(unicode.Inherited, bare[len(bare)-1]) && !unicode.Is(unicode.Arabic, bare[0]) {
		st |= stepMark
	}
	return st
}

// appendBare appends c without its accents; digits become ASCII, katakana hiragana.
func (f *folds) appendBare(out []rune, c rune) []rune {
	switch {
	case c == 'ı':
		return append(out, 'i')
	case c >= 0x30A1 && c <= 0x30F6:
		return append(out, c-0x60)
	case c >= 0x30F7 && c <= 0x30FA: // voiced forms that hiragana lacks
		return append(out, []rune("わゐゑを")[c-0x30F7])
	case c >= 0x3041 && c <= 0x309F, c >= 0xAC00 && c <= 0xD7A3:
		return append(out, c)
	case unicode.Is(unicode.Nd, c):
		return append(out, digit(c))
	}
	if j, ok := compatJamo(c); ok {
		return append(out, j)
	}
	if s, ok := f.simp[c]; ok {
		return append(out, s)
	}
	var kept []rune
	for _, d := range norm.NFD.String(string(c)) {
		if unicode.Is(unicode.Mn, d) && unicode.In(d, unicode.Inherited, unicode.Hebrew) || unicode.Is(unicode.Me, d) || ignorable(d) {
			continue
		}
		kept = append(kept, d)
	}
	for _, d := range norm.NFC.String(string(kept)) {
		if d != tatweel {
			out = append(out, arabic(d))
		}
	}
	return out
}

// tatweel stretches an Arabic word and is no letter of it.
const tatweel = 0x640

// arabic is one letter for those that writers of Arabic script use for each other:
// the end forms of yeh, the kafs, the hehs and the feminine ending.
func arabic(r rune) rune {
	switch r {
	case 'ى', 'ی', 'ې':
		return 'ي'
	case 'ک', 'ڪ':
		return 'ك'
	case 'ة', 'ہ', 'ۃ', 'ە', 'ھ', 'ۀ':
		return 'ه'
	case 'ٱ':
		return 'ا'
	}
	return r
}

// digit maps a decimal digit of any script to ASCII: scripts keep theirs in rows of ten.
func digit(c rune) rune {
	zero := c
	for zero > 0 && c-zero < 9 && unicode.Is(unicode.Nd, zero-1) {
		zero--
	}
	return '0' + (c-zero)%10
}

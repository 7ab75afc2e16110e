package ocr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The network knows Chinese, Japanese and Latin letters without the marks of Vietnamese.
// On lines of other scripts it is unsure, or reads nothing, and so it is on what is no
// text at all; those alone are shown to readers of one script each.

// Scripts that have a reader of their own, by the names of Tesseract's data.
const (
	Korean     = "kor"
	Thai       = "tha"
	Vietnamese = "vie"
)

// Scripts lists them.
var Scripts = []string{Korean, Thai, Vietnamese}

const (
	// sure is the confidence that the network reaches on scripts it knows and on nothing
	// else: 0.96 and more against 0.93 and less, of the lines that were measured.
	sure = 0.94
	// unread is how wide, in heights, what a sure reading leaves out of a line must be to be
	// words of another script: digits among Hangul are read, and the rest of the line is not.
	unread = 1.6
	// scriptSure is where a reader of one script is so sure that it is not shown the line in
	// another way, scriptEnough where no reader of another script is asked, and scriptLeast
	// what it must reach to be believed.
	scriptSure, scriptEnough, scriptLeast = 0.85, 0.75, 0.6
	// hangulSure is where the network for Korean is not shown a line again.
	hangulSure = 0.98
	// short is the width, in heights, below which a line is tried as the likelier script alone:
	// most of what is that short is no text.
	short = 3.2
	// thaiBlank is the blank of a reading below which an unsure line is more likely Thai than
	// Korean: of 485 lines 24 are on the wrong side.
	thaiBlank = 0.78
	// mostVain is after how many tries for Korean and Thai that show no strokes of either, the
	// lines of most letters first, a picture in which they read nothing has neither.
	mostVain = 6
)

// scriptReader reads lines of one script. first is what the network made of the line, looks
// how often it was looked at.
type scriptReader interface {
	readLine(b *bitmap, r rect, first reading) (got reading, looks int, err error)
	close() error
}

// scripts reads again what the network was unsure of: the lines of most letters first, as
// many as the picture may cost.
type scripts struct {
	*bitmap
	readers map[string]scriptReader
	tries   int    // that are left
	vain    int    // that showed no strokes of Korean or Thai
	last    string // Korean or Thai, once a line was
	viet    bool   // a line was Vietnamese
}

// again reads the lines that may be of another script and puts what it learns in their
// place.
func (s *scripts) again(lines []line) error {
	order := make([]*line, 0, len(lines))
	for i := range lines {
		s.viet = s.viet || vietnamese(lines[i].text)
		order = append(order, &lines[i])
	}
	slices.SortStableFunc(order, func(a, b *line) int { return cmp.Compare(b.at.width/b.at.height, a.at.width/a.at.height) })
	for _, l := range order {
		if err := s.line(l); err != nil {
			return err
		}
	}
	return nil
}

func (s *scripts) line(l *line) error {
	best := reading{}
	for _, script := range s.candidates(l) {
		reader := s.readers[script]
		if reader == nil || s.tries <= 0 || s.vain >= mostVain && s.last == "" && script != Vietnamese || best.confidence > scriptEnough {
			continue
		}
		other, looks, err := reader.readLine(s.bitmap, l.at, l.reading)
		if err != nil {
			return fmt.Errorf("read line as %s: %w", script, err)
		}
		s.tries -= looks
		if script != Vietnamese && !strokes(script, other.text) {
			s.vain++
		}
		if other.confidence > best.confidence && plausible(script, other, l) {
			best = other
			l.script = script
			if script != Vietnamese {
				s.last = script
			}
		}
	}
	if best.text != "" {
		l.reading = best
	}
	return nil
}

// candidates are the scripts that a line may be in after what the network made of it,
// the likeliest first.
func (s *scripts) candidates(l *line) []string {
	r := l.at
	switch {
	case vietnamese(l.text) || s.viet && l.text != "" && latin(l.text) && l.confidence > 0.7:
		return []string{Vietnamese}
	case l.likely < likelyScript || l.confidence >= sure && l.gap < unread && !l.sparse() || r.height < 11 || r.width < 2*r.height:
		return nil
	case s.last != "": // pictures rarely mix them
		return []string{s.last}
	}
	// Of Hangul the network reads next to nothing but digits, and sees no sign in nearly all of
	// it; of Thai as many letters as there are, unsure of them.
	order := []string{Korean, Thai}
	if l.confidence < sure && l.blank < thaiBlank {
		order = []string{Thai, Korean}
	}
	if r.width < short*r.height {
		order = order[:1]
	}
	return order
}

// sparse says whether a reading has so few signs that most of its line must be of a script that
// the network does not know: a digit between two words.
func (l *line) sparse() bool {
	signs := utf8.RuneCountInString(strings.ReplaceAll(l.text, " ", ""))
	return float64(signs) < 0.4*l.at.width/l.at.height
}

// plausible says whether other, read as script, may be what stands there. On what is no
// text at all a reader of one script sees strokes of that script too.
func plausible(script string, other reading, l *line) bool {
	if other.confidence < scriptLeast {
		return false
	}
	switch script {
	case Korean:
		// Letters as many as Latin ones fit into the line are no part of a Korean one.
		if l.confidence > 0.75 && other.confidence < 0.9 && float64(utf8.RuneCountInString(strings.ReplaceAll(l.text, " ", ""))) > 1.2*l.at.width/l.at.height {
			return false
		}
		own, all, distinct := letters(other.text, unicode.Hangul)
		return own >= 2 && 2*own >= all && distinct >= 2 && (own > 3 || other.confidence >= 0.8)
	case Thai:
		own, all, distinct := letters(other.text, unicode.Thai)
		return own >= 5 && 10*own >= 7*all && distinct >= 5 && 3*distinct >= own && other.confidence >= 0.7 &&
			!strings.ContainsAny(other.text, "๐๑๒๓๔๕๖๗๘๙ฃฅ") // digits that games don't use, and letters nobody does
	default:
		// The letters without their marks must be about those that the network read.
		return alike(l.text, other.text)
	}
}

// letters counts the letters and marks of text, those of them in table, and the
// different ones of those.
func letters(text string, table *unicode.RangeTable) (own, all, distinct int) {
	seen := map[rune]bool{}
	for _, c := range text {
		switch {
		case unicode.Is(table, c):
			own, all = own+1, all+1
			seen[c] = true
		case !unicode.IsSpace(c) && !unicode.IsDigit(c):
			all++
		}
	}
	return own, all, len(seen)
}

// vietnamese says whether text has letters that, of languages in Latin script, nearly
// Vietnamese alone has.
func vietnamese(text string) bool {
	return strings.ContainsAny(text, "đĐơƠưƯăẠạẢảẤấ")
}

func latin(text string) bool {
	for _, c := range text {
		if unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c) {
			return false
		}
	}
	return text != ""
}

// alike says whether two readings have most of their plain letters in common, in order.
func alike(a, b string) bool {
	plain := func(s string) []rune {
		return []rune(strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII || unicode.IsSpace(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, s))
	}
	x, y := plain(a), plain(b)
	row := make([]int, len(y)+1) // the longest common subsequence
	for _, c := range x {
		before := 0
		for j, d := range y {
			was := row[j+1]
			if c == d {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			before = was
		}
	}
	return 4*row[len(y)] >= 3*min(len(x), len(y)) && len(b) > 0
}

// strokes says whether a reading has so many different letters of its script that the
// line may be in it. Of a line with light and dark the wrong way round a reader makes
// other letters, about as many; of what is no text it makes next to none, either way.
func strokes(script, text string) bool {
	switch script {
	case Korean:
		_, _, distinct := letters(text, unicode.Hangul)
		return distinct >= 2
	case Thai:
		_, _, distinct := letters(text, unicode.Thai)
		return distinct >= 4
	default:
		return true
	}
}

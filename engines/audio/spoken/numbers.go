package spoken

import (
	"strconv"
	"strings"
)

var units = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

// number is a number at i in figures: digits one after the other ("five five five one"),
// or one that is counted ("two hundred and five"). A digit that stands alone stays a
// word, since "one" mostly is none.
func (w *writer) number(i int) (string, int) {
	if s, n := w.digits(i); len(s) >= 3 {
		return s, n
	}
	return w.counted(i)
}

// digits are those one after the other, as in a number to be dialled.
func (w *writer) digits(i int) (string, int) {
	var s strings.Builder
	at := i
	for at < len(w.bare) {
		times := 1
		if w.is(at, "double", "triple") {
			times = map[string]int{"double": 2, "triple": 3}[w.bare[at]]
			at++
		}
		d, ok := w.digit(at, s.Len() > 0)
		if !ok {
			if times > 1 {
				at--
			}
			break
		}
		s.WriteString(strings.Repeat(d, times))
		at++
	}
	return s.String(), at - i
}

// digit is the figure at i; within a number "oh" is a zero, and figures are themselves.
func (w *writer) digit(i int, within bool) (string, bool) {
	if i >= len(w.bare) {
		return "", false
	}
	b := w.bare[i]
	if within && (b == "oh" || b == "o") {
		return "0", true
	}
	if v, ok := units[b]; ok && v < 10 {
		return strconv.Itoa(v), true
	}
	if _, err := strconv.ParseUint(b, 10, 32); err == nil && len(b) <= 4 {
		return b, true
	}
	return "", false
}

// counted is a number such as "twenty three thousand four hundred and five".
func (w *writer) counted(i int) (string, int) {
	total, group, at, last := 0, 0, i, 1000
	for at < len(w.bare) {
		b := w.bare[at]
		v, ok := units[b]
		switch {
		case ok && fits(last, v):
			group, last = group+v, v
		case b == "hundred" && group > 0 && group < 100:
			group, last = group*100, 100
		case b == "thousand" && group > 0 && total == 0:
			total, group, last = group*1000, 0, 1000
		case b == "and" && last >= 100 && at > i && at+1 < len(w.bare) && units[w.bare[at+1]] > 0:
		default:
			return figures(total+group, at-i, w.bare[i])
		}
		at++
	}
	return figures(total+group, at-i, w.bare[i])
}

// fits reports whether a number may follow another in one: "twenty three", "hundred five".
func fits(last, v int) bool {
	switch {
	case last >= 100:
		return true
	case last >= 20:
		return v > 0 && v < 10
	}
	return false
}

func figures(v, n int, first string) (string, int) {
	if n == 0 || n == 1 && units[first] < 10 {
		return "", 0
	}
	return strconv.Itoa(v), n
}

package spoken

import (
	"slices"
	"strings"
)

// dots are what the dot of an address is called.
var dots = []string{"dot", "punkt", "punto", "ponto", "точка", "点", "點", "ドット", "닷", "점", "chấm", "จุด"}

// ends are ends of addresses that are read out, without those that are words of ordinary
// talk after "dot" too.
var ends = []string{
	"com", "net", "org", "gg", "io", "co", "me", "tv", "ru", "cn", "jp", "kr", "de", "fr", "uk", "eu", "us", "vn", "th", "tw", "xyz", "info", "biz",
	"shop", "store", "online", "site", "club", "top", "app", "dev", "ly", "cc", "コム", "컴",
}

var named = map[string]string{"コム": "com", "컴": "com"}

// mark is a mark of an address at i, "" where it is a word of the sentence.
func (w *writer) mark(i int) (string, int) {
	switch {
	case i <= 0 || i >= len(w.bare):
		return "", 0
	case w.is(i, "at") && w.is(i+1, "sign"):
		return "@", 2
	case w.is(i, "at") && w.address(i+1):
		return "@", 1
	case w.is(i, dots...) && w.dotted(i):
		return w.dotEnd(i)
	case w.is(i, "underscore"):
		return "_", 1
	case w.is(i, "slash") && w.inAddress(i):
		return "/", 1
	case w.is(i, "dash", "hyphen") && w.address(i+1):
		return "-", 1
	}
	return "", 0
}

// dotted reports whether the dot at i is one of an address: an end follows, or another
// part and then one.
func (w *writer) dotted(i int) bool {
	return w.is(i+1, ends...) || i+2 < len(w.bare) && w.is(i+2, dots...) && w.is(i+3, ends...)
}

// dotEnd is the dot with the end behind it, where that has another name.
func (w *writer) dotEnd(i int) (string, int) {
	if s := named[w.bare[i+1]]; s != "" {
		return "." + s, 2
	}
	return ".", 1
}

// address reports whether the word at i is the name of a host: a dot and an end follow, or
// the recogniser wrote them itself.
func (w *writer) address(i int) bool {
	if i >= len(w.bare) {
		return false
	}
	_, end, ok := cutLast(w.bare[i])
	return ok && slices.Contains(ends, end) || w.is(i+1, dots...) && w.dotted(i+1)
}

// inAddress reports whether an address ends just before i.
func (w *writer) inAddress(i int) bool {
	_, end, ok := cutLast(w.bare[i-1])
	return ok && slices.Contains(ends, end) || w.is(i-1, ends...) && w.is(i-2, dots...)
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i <= 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

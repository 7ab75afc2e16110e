package text

import "strings"

// unaddressed is a text without those whom it is addressed to and without links: "@name",
// "https://…" and what data sets put in the place of them. They are no part of what is said,
// and the network took them for a sign of the sets that it learnt from.
func unaddressed(text string) string {
	if !strings.ContainsAny(text, "@/<[U") {
		return text
	}
	words := strings.Fields(text)
	kept := words[:0]
	for _, w := range words {
		if !address(w) {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// address reports whether a word is an account, a link, or stands for one.
func address(word string) bool {
	switch {
	case len(word) > 1 && word[0] == '@',
		hasPrefixFold(word, "http://"), hasPrefixFold(word, "https://"), hasPrefixFold(word, "www."):
		return true
	}
	bare := strings.TrimRight(word, ".,:;!?")
	switch {
	case bare == "URL", bare == "USER":
		return true
	case len(bare) > 2 && (bare[0] == '<' && bare[len(bare)-1] == '>' || bare[0] == '[' && bare[len(bare)-1] == ']'):
		inner := bare[1 : len(bare)-1]
		return strings.EqualFold(inner, "user") || strings.EqualFold(inner, "url")
	}
	return false
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

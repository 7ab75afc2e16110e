package main

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// score counts right answers.
type score struct{ n, right, kin int }

func (s *score) add(want, got lang.Tag) {
	s.n++
	if want == got {
		s.right++
	}
	if lang.Kin(want, got) {
		s.kin++
	}
}

func (s *score) String() string {
	if s.n == 0 {
		return "      -       -"
	}
	return fmt.Sprintf("%7.1f %7.1f", 100*float64(s.right)/float64(s.n), 100*float64(s.kin)/float64(s.n))
}

// mean is the mean over languages with ten rows and more.
func mean(scores []score) string {
	right, kin, n := 0.0, 0.0, 0
	for _, s := range scores {
		if s.n >= 10 {
			right, kin, n = right+float64(s.right)/float64(s.n), kin+float64(s.kin)/float64(s.n), n+1
		}
	}
	return fmt.Sprintf("%.1f %.1f (%d)", 100*right/float64(n), 100*kin/float64(n), n)
}

// report writes how often the built-in table is right, by language and length.
func report(w io.Writer, dev []row) {
	n := len(lang.Tags()) + 1
	short, long := make([]score, n), make([]score, n)
	confused := map[[2]lang.Tag]int{}
	var allShort, allLong, sure score
	for _, r := range dev {
		letters := utf8.RuneCountInString(r.text)
		if letters < 10 {
			continue
		}
		res := lang.Identify(r.text, lang.None)
		got := res.Best()
		if res.Top[0].P >= 0.9 {
			sure.add(r.tag, got)
		}
		if !lang.Kin(r.tag, got) {
			confused[[2]lang.Tag{r.tag, got}]++
		}
		if letters <= 30 {
			short[r.tag].add(r.tag, got)
			allShort.add(r.tag, got)
		} else {
			long[r.tag].add(r.tag, got)
			allLong.add(r.tag, got)
		}
	}
	_, _ = fmt.Fprintln(w, "language   10-30 characters: n, right, kin   longer: n, right, kin")
	for t := range n {
		if short[t].n+long[t].n > 0 {
			_, _ = fmt.Fprintf(w, "%-8s %6d %s %6d %s\n", lang.Tag(t), short[t].n, &short[t], long[t].n, &long[t])
		}
	}
	_, _ = fmt.Fprintf(w, "all rows %6d %s %6d %s\n", allShort.n, &allShort, allLong.n, &allLong)
	_, _ = fmt.Fprintf(w, "mean of languages  %s  %s\n", mean(short), mean(long))
	_, _ = fmt.Fprintf(w, "where P >= 0.9: %d %s\n", sure.n, &sure)
	for pair, k := range confused {
		if k >= 15 {
			_, _ = fmt.Fprintf(w, "%s taken for %s: %d\n", pair[0], pair[1], k)
		}
	}
}

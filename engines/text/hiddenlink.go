package text

// hiddenLinks gathers hosts whose stops are written in letters or that are spelled
// with spaces: site dot com, s i t e . c o m, site,com.
func (s *scratch) hiddenLinks() {
	if s.topics&topicDot != 0 {
		for i := range s.words {
			if w := &s.words[i]; w.topics&topicDot != 0 {
				s.hiddenLink(int(w.from), int(w.to), true)
			}
		}
	}
	units := s.norm.units
	for i := 1; i+2 < len(units); i++ {
		switch units[i].r {
		case ',', '·', '。', '、', '•':
			if hostUnit(&units[i-1]) && units[i+1].class == classLatin {
				s.hiddenLink(i, i+1, false)
			}
		case '.':
			if units[i-1].r == ' ' || units[i+1].r == ' ' {
				s.hiddenLink(i, i+1, false)
			}
		}
	}
}

// hiddenLink reads the host before and the top level after a stop at units [from, to).
func (s *scratch) hiddenLink(from, to int, written bool) {
	units := s.norm.units
	left := outward(units, from, -1)
	start, letters := spelledBack(units, left)
	right := outward(units, to, 1)
	end, top := spelledOn(units, right)
	spelled := left-start > letters
	if written && letters < 2 {
		start, letters = nativeBack(units, left)
		spelled = letters > 1
	}
	if written && top.n == 0 {
		end, top = nativeTop(units, right)
	}
	odd := spelled || hasDigit(units[start:left]) || letters >= 8 || hasPrefix(units[start:], "discord")
	if letters < 2 || !hides(top.value(), written, odd) {
		return
	}
	// "one, com" and the like: nothing but the stop is odd, and the sentence goes on.
	goesOn := end+1 < len(units) && units[end].r == ' ' && units[end+1].class.letter()
	if !written && !odd && (goesOn || units[from].r != '.' && (left != from || right != to)) {
		return
	}
	if !written && units[from].r == '.' && end-right == top.n && left-start == letters && (left == from) {
		return // the end of a sentence, "com" begins the next
	}
	k := link{from: start, to: end, path: end, evasive: true}
	for i := start; i < left; i++ {
		if units[i].r != ' ' && k.n < 60 && units[i].r < 0x80 {
			k.name[k.n] = byte(units[i].r)
			k.n++
		}
	}
	k.n += copy(k.name[k.n:], ".")
	k.n += copy(k.name[k.n:], top.value())
	s.links = append(s.links, k)
}

// hides reports whether a top level is one that hosts are hidden under: more where the
// stop is written out, and "gg" ends matches where nothing else is odd.
func hides(top []byte, written, odd bool) bool {
	return (hiddenTops[string(top)] || written && writtenTops[string(top)]) && (odd || string(top) != "gg")
}

// nativeTop reads a top level in the letters of a country, as com.
func nativeTop(units []unit, i int) (end int, top topName) {
	if end = oneOfTerms(units, i, nativeTops()); end > 0 && (end == len(units) || !units[end].class.alphabetic()) {
		top.n = copy(top.text[:], "com")
	}
	return end, top
}

// nativeBack walks back over a host in the letters of a country, which a stop in words
// stands after: "ของขวัญเกม จุด com".
func nativeBack(units []unit, i int) (start, letters int) {
	start = i
	for start > 0 && i-start < 40 && (units[start-1].class.letter() || units[start-1].class == classDigit || units[start-1].r == '-') {
		start--
		letters++
	}
	return start, letters
}

// spelledBack walks back over a host, which may be letters with spaces between.
func spelledBack(units []unit, i int) (start, letters int) {
	start = i
	for start > 0 && i-start < 60 && hostUnit(&units[start-1]) {
		start--
		letters++
	}
	if letters != 1 {
		return start, letters
	}
	for start > 1 && i-start < 120 && units[start-1].r == ' ' && hostUnit(&units[start-2]) && (start == 2 || units[start-3].r == ' ') {
		start -= 2
		letters++
	}
	return start, letters
}

// topName is a top level as it is read: no memory of its own.
type topName struct {
	text [8]byte
	n    int
}

func (t *topName) value() []byte { return t.text[:t.n] }

func (t *topName) push(u *unit) bool {
	if t.n == len(t.text) || u.class != classLatin || u.r >= 0x80 {
		return false
	}
	t.text[t.n] = byte(u.r)
	t.n++
	return true
}

// spelledOn reads a top level, which may have spaces between its letters.
func spelledOn(units []unit, i int) (end int, top topName) {
	for end = i; end < len(units) && top.push(&units[end]); end++ {
	}
	if top.n != 1 {
		return end, top
	}
	for end+1 < len(units) && units[end].r == ' ' && (end+2 == len(units) || !units[end+2].class.letter()) && top.push(&units[end+1]) {
		end += 2
	}
	return end, top
}

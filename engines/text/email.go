package text

import "github.com/portcullis-gg/portcullis/engines"

func isASCIIWord(u *unit) bool { return u.class == classDigit || u.class == classLatin && u.r < 0x80 }

// emails finds mail addresses: a name, an at sign, a host with a dot and a top
// level of two letters and more. Spaces beside the sign are tolerated.
func (s *scratch) emails(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	var buf [16]byte
	floor := 0 // so that names are not walked twice
	for i := range units {
		if units[i].r != '@' {
			continue
		}
		left, right := i, i+1
		if left > 0 && right < len(units) && units[left-1].r == ' ' && units[right].r == ' ' { // name @ host
			left, right = left-1, right+1
		}
		from, to, dot := addressAround(units, left, right, floor)
		floor = i + 1
		if dot == to-1 { // the full stop of the sentence
			to--
			dot = lastDot(units, i, to)
		}
		user := from > 0 && units[from-1].r == '/' // the user part of a URL
		if !user && from < left && right == i+1 && upiHosts[string(ascii(buf[:0], units[right:to]))] {
			out = s.tell(out, finding{"payment", "upi", 2, 0.86}, from, to)
			continue
		}
		if !user && from < left && dot > right && isASCIIWord(&units[right]) && units[dot-1].r != '.' && topLevel(units[dot+1:to]) {
			out = s.tell(out, finding{"contact", "email", 2, 0.93}, from, to)
		}
	}
	return out
}

// upiHosts stand after the sign in the payment addresses of India's banks (the
// handles that NPCI lists for the large apps).
var upiHosts = set("okaxis okhdfcbank okicici oksbi ybl ibl axl paytm upi apl waaxis ptyes ptaxis ptsbi pthdfc")

// addressAround returns where the name before unit left and the host from unit
// right begin and end, and the last dot of the host.
func addressAround(units []unit, left, right, floor int) (from, to, dot int) {
	from, to = left, right
	for from > floor && left-from < 64 && (isASCIIWord(&units[from-1]) || isOneOf(units[from-1].r, "._%+-")) {
		from--
	}
	for to < len(units) && to-right < 256 && (isASCIIWord(&units[to]) || isOneOf(units[to].r, ".-")) {
		if units[to].r == '.' {
			dot = to
		}
		to++
	}
	return from, to, dot
}

func lastDot(units []unit, from, to int) int {
	for to--; to > from; to-- {
		if units[to].r == '.' {
			return to
		}
	}
	return 0
}

func topLevel(units []unit) bool {
	for i := range units {
		if units[i].class != classLatin {
			return false
		}
	}
	return len(units) >= 2 && len(units) <= 18
}

// spelledMails finds addresses whose signs are written out: name at host dot com,
// name (at) host [.] com.
func (s *scratch) spelledMails(out []engines.Signal) []engines.Signal {
	done := 0
	for i := range s.words {
		w := &s.words[i]
		if w.topics&topicAt == 0 || int(w.from) < done {
			continue
		}
		if c, from, to := s.spelledMail(int(w.from), int(w.to)); c > 0 {
			out = s.tell(out, finding{"contact", "email", 2, c}, from, to)
			done = to
		}
	}
	return out
}

// spelledMail reads the address around a word for the at sign in units [i, at).
func (s *scratch) spelledMail(i, at int) (confidence float64, from, to int) {
	units := s.norm.units
	nameEnd := outward(units, i, -1)
	from = nameEnd
	for from > 0 && nameEnd-from < 64 && (isASCIIWord(&units[from-1]) || isOneOf(units[from-1].r, "._-")) {
		from--
	}
	host := outward(units, at, 1)
	hostEnd := host
	for hostEnd < len(units) && (isASCIIWord(&units[hostEnd]) || units[hostEnd].r == '-') {
		hostEnd++
	}
	if host == hostEnd {
		return s.nativeMail(nameEnd, host)
	}
	if to = s.spelledTop(hostEnd); from == nameEnd || host == hostEnd || to == 0 {
		return 0, 0, 0
	}
	// Between plain words a sign for the stop is a link or the end of a sentence.
	plain := i > 0 && units[i-1].r == ' ' && (at >= len(units) || units[at].r == ' ')
	known := mailHost(units[host:hostEnd])
	switch {
	case plain && !known && ordinaryAt(units[i:at]): // "lui et moi, point de vue"
		return 0, 0, 0
	case plain && !known && s.wordEnd(topicDot, outward(units, hostEnd, 1)) == 0:
		return 0, 0, 0
	case plain && !known && !hasDigit(units[from:nameEnd]):
		return 0.6, from, to
	}
	return 0.86, from, to
}

// ordinaryAt reports whether a word for the at sign is one of everybody: it counts
// before a known host alone.
func ordinaryAt(units []unit) bool {
	var buf [4]byte
	switch string(ascii(buf[:0], units)) {
	case "et", "bei":
		return true
	}
	return false
}

// outward skips brackets and spaces before (-1) or after (1) unit i, at most four.
func outward(units []unit, i, step int) int {
	for range 4 {
		at := i
		if step < 0 {
			at--
		}
		if at < 0 || at >= len(units) || !isOneOf(units[at].r, " ()[]{}<>*_-") {
			break
		}
		i += step
	}
	return i
}

// wordEnd returns where a word on the topic ends that stands at unit i, else 0.
func (s *scratch) wordEnd(t topic, i int) int {
	for k := s.wordsFrom(i); k < len(s.words) && int(s.words[k].from) == i; k++ {
		if s.words[k].topics&t != 0 {
			return int(s.words[k].to)
		}
	}
	return 0
}

// spelledTop returns where a top level ends that stands after a dot, in letters or
// as a sign, at unit i; else 0.
func (s *scratch) spelledTop(i int) int {
	units := s.norm.units
	k := outward(units, i, 1)
	if k >= len(units) {
		return 0
	}
	end := 0
	if units[k].r == '.' {
		end = k + 1
	} else if k > i || units[k].class.dense() {
		end = s.wordEnd(topicDot, k)
	}
	if end == 0 {
		return 0
	}
	k = outward(units, end, 1)
	to := k
	for to < len(units) && units[to].class == classLatin {
		to++
	}
	if !commonTop(units[k:to]) && (to-k != 3 || !hasPrefix(units[k:], "kom")) { // com by ear
		return 0
	}
	return to
}

func hasDigit(units []unit) bool {
	for i := range units {
		if units[i].class == classDigit {
			return true
		}
	}
	return false
}

// mailHosts give mailboxes to everybody.
var mailHosts = map[string]bool{
	"gmail": true, "googlemail": true, "hotmail": true, "outlook": true, "yahoo": true, "icloud": true, "proton": true, "protonmail": true,
	"live": true, "aol": true, "gmx": true, "qq": true, "163": true, "126": true, "naver": true, "daum": true, "yandex": true, "mail": true,
	"hanmail": true, "web": true, "libero": true, "orange": true, "wp": true, "o2": true, "ukr": true, "rambler": true, "msn": true,
}

func mailHost(units []unit) bool {
	var buf [16]byte
	return mailHosts[string(ascii(buf[:0], units))]
}

// ascii appends units as bytes, as many as fit.
func ascii(buf []byte, units []unit) []byte {
	for i := range units {
		if len(buf) == cap(buf) || units[i].r >= 0x80 {
			return buf[:0]
		}
		buf = append(buf, byte(units[i].r))
	}
	return buf
}

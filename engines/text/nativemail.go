package text

import "sync"

// Mailboxes are also told in the letters of the country: "darkwolf 골뱅이 네이버 닷컴",
// "лена собака яндекс точка ру".

// nativeHosts give mailboxes to everybody, as their names are written in other scripts.
var nativeHosts = foldedTerms("네이버", "지메일", "다음", "한메일", "핫메일", "джимейл", "гмейл", "гмаил", "жмейл", "мейл", "майл", "яндекс", "рамблер", "хотмейл",
	"جيميل", "جي ميل", "هوتميل", "ياهو", "اوتلوك", "จีเมล", "จีเมล์", "ฮอตเมล", "ฮอตเมล์", "ジーメール", "gメール", "ヤフー", "जीमेल", "याहू")

// nativeTops are top levels in other scripts.
var nativeTops = foldedTerms("컴", "넷", "ком", "ру", "нет", "كوم", "نت", "คอม", "コム", "कॉम")

// nativeEnds are a stop and a top level in one.
var nativeEnds = foldedTerms("닷컴", "닷넷", "닷 컴", "ドットコム", "どっとこむ", "ดอทคอม", "डॉट कॉम")

// foldedTerms are terms as messages are folded, which is done once and when first asked.
func foldedTerms(terms ...string) func() []string {
	return sync.OnceValue(func() []string {
		out := make([]string, len(terms))
		for i, t := range terms {
			p := foldTerm(t)
			out[i] = string(p.spelled())
		}
		return out
	})
}

// nativeMail reads an address whose name ends at unit nameEnd and whose host, in
// another script than Latin, begins at unit host.
func (s *scratch) nativeMail(nameEnd, host int) (confidence float64, from, to int) {
	units := s.norm.units
	hostEnd := oneOfTerms(units, host, nativeHosts())
	if hostEnd == 0 {
		return 0, 0, 0
	}
	from = nameEnd
	for from > 0 && nameEnd-from < 32 && (units[from-1].class.letter() || units[from-1].class == classDigit || isOneOf(units[from-1].r, "._-")) {
		from--
	}
	k := outward(units, hostEnd, 1)
	dot := s.wordEnd(topicDot, k)
	if to = oneOfTerms(units, k, nativeEnds()); to > 0 && from < nameEnd {
		return 0.86, from, to
	}
	if dot == 0 || from == nameEnd {
		return 0, 0, 0
	}
	top := outward(units, dot, 1)
	if to = oneOfTerms(units, top, nativeTops()); to == 0 {
		for to = top; to < len(units) && units[to].class == classLatin; to++ {
		}
		if !commonTop(units[top:to]) {
			return 0, 0, 0
		}
	}
	return 0.86, from, to
}

// oneOfTerms returns where the term ends that stands at unit i, else 0.
func oneOfTerms(units []unit, i int, terms []string) int {
	for _, t := range terms {
		if to := runesAt(units, i, t); to > 0 {
			return to
		}
	}
	return 0
}

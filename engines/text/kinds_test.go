package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// evasionKind hides a word. Texts that it is given are split into what stands
// before the word, the word, and what stands after.
type evasionKind struct {
	name string
	hide func(word string) string
	// whole hides the whole message, for kinds that leave no word where it was.
	whole bool
	// scripts are those in which the kind makes sense: l(atin), c(yrillic), h(angul), d (Han), k(ana).
	scripts string
	// except are words that become others.
	except string
}

type sample struct {
	script              byte
	before, word, after string
}

// abuse are plain words of the lists, clean as many ordinary ones of a like shape.
var (
	abuse = []sample{
		{'l', "you are a ", "bitch", " ok"},
		{'l', "see the ", "idiot", ""},
		{'l', "you ", "bastard", " go"},
		{'l', "such a ", "whore", " he is"},
		{'c', "ты просто ", "дебил", " понял"},
		{'c', "ну ты и ", "идиот", ""},
		{'h', "야 ", "병신", " 뭐"},
		{'h', "야 이 ", "등신", " 뭐"},
		{'d', "你是个", "白痴", "吧"},
		{'d', "你这", "废物", "滚"},
		{'k', "マジ、", "バカ", "が"},
	}
	clean = []sample{
		{'l', "meet at the ", "north", " gate"},
		{'l', "the new ", "castle", " map"},
		{'l', "good ", "night", " all"},
		{'l', "he has ", "sugar", " here"},
		{'l', "look at the ", "garden", " now"},
		{'l', "she is a ", "doctor", " too"},
		{'l', "code is ", "ready", " soon"},
		{'c', "иди на ", "север", " карты"},
		{'c', "это мой ", "город", ""},
		{'h', "다음 ", "보스", " 잡자"},
		{'h', "같이 ", "게임", " 하자"},
		{'d', "我们去", "城堡", "吧"},
		{'d', "这个", "武器", "好"},
		{'k', "この", "ネコ", "が"},
	}
)

func perRune(f func(i int, r rune) string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for i, r := range []rune(s) {
			b.WriteString(f(i, r))
		}
		return b.String()
	}
}

func shift(small rune) func(string) string {
	return perRune(func(_ int, r rune) string { return string(small + r - 'a') })
}

func table(from, to string) func(string) string {
	pairs := map[rune]rune{}
	for i, r := range []rune(from) {
		pairs[r] = []rune(to)[i]
	}
	return perRune(func(_ int, r rune) string {
		if t, ok := pairs[r]; ok {
			r = t
		}
		return string(r)
	})
}

func between(sep string) func(string) string {
	return perRune(func(i int, r rune) string {
		if i == 0 {
			return string(r)
		}
		return sep + string(r)
	})
}

func after(mark string) func(string) string {
	return perRune(func(_ int, r rune) string { return string(r) + mark })
}

func backwards(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

const letters = "abcdefghijklmnopqrstuvwxyz"

func evasionKinds() []evasionKind {
	return []evasionKind{
		{"full width", shift('ａ'), false, "l", ""},
		{"mathematical", shift('𝐚'), false, "l", ""},
		{"circled", shift('ⓐ'), false, "l", ""},
		{"parenthesised", shift('⒜'), false, "l", ""},
		{"negative squared", shift('🅰'), false, "l", ""},
		{"regional indicators", shift('🇦'), false, "l", ""},
		{"regional indicators apart", perRune(func(_ int, r rune) string { return string('🇦'+r-'a') + " " }), false, "l", ""},
		{"superscripts", table("abdehiorstuw", "ᵃᵇᵈᵉʰⁱᵒʳˢᵗᵘʷ"), false, "l", ""},
		{"small capitals", table("abcdehiortw", "ᴀʙᴄᴅᴇʜɪᴏʀᴛᴡ"), false, "l", ""},
		{"braille", table(letters, brailleLetters), false, "l", ""},
		{"tag letters within", after("\U000E0041"), false, "lchdk", ""},
		{"zero-width joiners", after("\u200d"), false, "lchdk", ""},
		{"soft hyphens", after("\u00ad"), false, "lchdk", ""},
		{"variation selectors", after("\ufe0f"), false, "lchdk", ""},
		{"zalgo", after("\u0336\u0322\u0301"), false, "lc", ""},
		{"dots", between("."), false, "lchdk", ""},
		{"stars", func(s string) string { return "*" + between("*")(s) + "*" }, false, "lchdk", ""},
		{"spaces", between(" "), false, "lchdk", ""},
		{"spoilers", between("||"), false, "lchdk", ""},
		{"bold and strike", between("**~~"), false, "lchdk", ""},
		{"underscores", between("_"), false, "lchdk", ""},
		{"emoji between", between("😂"), false, "lchdk", ""},
		{"bidi override", func(s string) string { return "\u202e" + backwards(s) + "\u202c" }, false, "lchdk", ""},
		{"backwards", backwards, false, "lc", ""},
		{"message backwards", backwards, true, "lc", ""},
		{"upside down", func(s string) string {
			return backwards(table("abcdefghijklmnopqrstuvwxyz", "ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz")(s))
		}, true, "l", ""},
		{"one letter a line", between("\n"), false, "lc", ""},
		{"all letters downwards", between("\n"), true, "hdk", ""},
		{"character references", perRune(func(_ int, r rune) string { return "&#" + itoa(int(r)) + ";" }), false, "lchdk", ""},
		{"percent encoding", func(s string) string {
			var b strings.Builder
			for _, c := range []byte(s) {
				b.WriteString("%" + strings.ToUpper(string("0123456789abcdef"[c>>4])+string("0123456789abcdef"[c&15])))
			}
			return b.String()
		}, false, "lchdk", ""},
		{"unicode escapes", perRune(func(_ int, r rune) string {
			return fmt.Sprintf(`\u%04x`, r)
		}), false, "lchdk", ""},
		{"cyrillic letters", table("aeiocpsx", "аеіосрѕх"), false, "l", ""},
		{"latin letters in cyrillic", table("аеиоскрх", "aeuockpx"), false, "c", ""},
		{"greek letters", table("aiotvk", "αιοτνκ"), false, "l", ""},
		{"cherokee letters", table("abdehr", "ꭺᏼꮷꭼꮒꭱ"), false, "l", ""},
		{"armenian letters", table("ohun", "օհսո"), false, "l", ""},
		{"leet", table("aeiost", "431057"), false, "l", ""},
		{"stretched", perRune(func(i int, r rune) string {
			if i == 1 {
				return strings.Repeat(string(r), 4)
			}
			return string(r)
		}), false, "lc", ""},
		{"inner letters swapped", func(s string) string {
			r := []rune(s)
			r[1], r[2] = r[2], r[1]
			return string(r)
		}, false, "lc", ""},
		{"vowels dropped", func(s string) string {
			r := []rune(s)
			return string(r[:1]) + strings.Map(func(r rune) rune {
				if vowel(r) {
					return -1
				}
				return r
			}, string(r[1:]))
		}, false, "l", ""},
		{"space moved", func(s string) string { r := []rune(s); return string(r[:2]) + " " + string(r[2:]) }, false, "lc", "whore дебил bitch"},
		{"a sign for a vowel", perRune(func(i int, r rune) string {
			if i > 0 && vowel(r) {
				return "*"
			}
			return string(r)
		}), false, "lc", ""},
		{"jamo", func(s string) string {
			var b strings.Builder
			for _, r := range s {
				r -= 0xAC00
				b.WriteRune([]rune(leads)[r/588])
				b.WriteRune(0x314F + r/28%21)
				if t := r % 28; t > 0 {
					b.WriteRune([]rune(trails)[t-1])
				}
			}
			return b.String()
		}, false, "h", ""},
		{"korean on latin keys", func(s string) string { return onLatinKeys([]rune(s)) }, false, "h", ""},
		{"russian on latin keys", table("йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,."), false, "c", ""},
		{"half-width kana", table("バカネコ", "ﾊｶﾈｺ"), false, "", ""},
		{"camel case", func(s string) string { return "the" + strings.ToUpper(s[:1]) + s[1:] + "Now" }, false, "l", ""},
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// TestEvasionKinds hides words in every way and looks for them where they stand.
func TestEvasionKinds(t *testing.T) {
	e := listed(t)
	for _, k := range evasionKinds() {
		for _, a := range abuse {
			if !strings.ContainsRune(k.scripts, rune(a.script)) {
				continue
			}
			text := a.before + k.hide(a.word) + a.after
			from := utf8.RuneCountInString(a.before)
			to := from + utf8.RuneCountInString(k.hide(a.word))
			if k.whole {
				text = k.hide(a.before + a.word + a.after)
				from, to = 0, utf8.RuneCountInString(text)
			}
			if k.hide(a.word) == a.word || k.name == "vowels dropped" && len(k.hide(a.word)) < 4 || strings.Contains(k.except, a.word) {
				continue
			}
			hits := found(look(t, e, text, ""), engines.Harassment)
			if !slices.ContainsFunc(hits, func(s engines.Span) bool {
				return s.Start < to && s.End > from && s.Start >= from-2 && s.End <= to+1 && (k.whole || s.End-s.Start >= (to-from)/3)
			}) {
				t.Errorf("%s: Inspect(%q) found %v, want about [%d,%d)", k.name, text, hits, from, to)
			}
		}
		for _, a := range clean {
			if !strings.ContainsRune(k.scripts, rune(a.script)) {
				continue
			}
			text := a.before + k.hide(a.word) + a.after
			if k.whole {
				text = k.hide(a.before + a.word + a.after)
			}
			for _, s := range look(t, e, text, "") {
				if s.Confidence >= 0.5 {
					t.Errorf("%s: Inspect(%q) = %+v, want nothing", k.name, text, s)
				}
			}
		}
	}
}

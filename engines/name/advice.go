package name

import (
	"cmp"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// Suggestion is what of a name to change.
type Suggestion struct {
	Span   engines.Span
	Reason Reason
	// Text tells the player, in Language.
	Text, Language string
}

// Suggest says what to change of a name that was not let through: what Look finds, and
// the places at which its words were objected to. language is a BCP 47 tag; where there
// is no text in it, it is English.
func Suggest(name string, ask *engines.Naming, objected []engines.Span, language string) []Suggestion {
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(language, "_", "-")), "-")
	texts, ok := advice[base]
	if !ok {
		base, texts = "en", advice["en"]
	}
	var out []Suggestion
	add := func(s engines.Span, r Reason) {
		out = append(out, Suggestion{s, r, texts[r], base})
	}
	found := Look(name, ask)
	for _, f := range found {
		add(f.Span, f.Reason)
	}
	for _, s := range objected {
		if !slices.ContainsFunc(found, func(f Finding) bool { return f.Span == s }) {
			add(s, Words)
		}
	}
	slices.SortStableFunc(out, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End),
			cmp.Compare(slices.Index(Reasons, a.Reason), slices.Index(Reasons, b.Reason)))
	})
	return out
}

// advice is what players are told, by language.
var advice = map[string]map[Reason]string{
	"en": {
		Staff:       "This part looks like the name of the game's staff. Take another word.",
		Taken:       "This name is taken.",
		LooksTaken:  "This name looks like one that is taken. Change more of it.",
		Reserved:    "This word is reserved. Take another one.",
		Hidden:      "There are characters here that nobody can see. Remove them.",
		NoCharacter: "There are characters here that can't be shown. Remove them.",
		Marks:       "There are too many marks on this letter. Remove some.",
		Mixed:       "This word mixes letters of different alphabets. Keep to one.",
		NoLetters:   "A name needs a letter or a digit.",
		TooShort:    "This name is too short.",
		TooLong:     "This name is too long.",
		Words:       "This part is not allowed. Take another word.",
	},
	"ja": {
		Staff:       "この部分は運営スタッフの名前と紛らわしいため使えません。別の言葉にしてください。",
		Taken:       "この名前はすでに使われています。",
		LooksTaken:  "すでに使われている名前とよく似ています。もう少し変えてください。",
		Reserved:    "この言葉は予約されているため使えません。別の言葉にしてください。",
		Hidden:      "目に見えない文字が含まれています。取り除いてください。",
		NoCharacter: "表示できない文字が含まれています。取り除いてください。",
		Marks:       "この文字に付いている記号が多すぎます。減らしてください。",
		Mixed:       "異なる種類の文字が混ざっています。一つにそろえてください。",
		NoLetters:   "名前には文字か数字が必要です。",
		TooShort:    "名前が短すぎます。",
		TooLong:     "名前が長すぎます。",
		Words:       "この部分は使えません。別の言葉にしてください。",
	},
	"zh": {
		Staff:       "此处容易被误认为官方人员，请换一个词。",
		Taken:       "该名称已被使用。",
		LooksTaken:  "该名称与已被使用的名称过于相似，请多改一些。",
		Reserved:    "该词为保留词，请换一个词。",
		Hidden:      "此处含有看不见的字符，请删除。",
		NoCharacter: "此处含有无法显示的字符，请删除。",
		Marks:       "此字符上的附加符号过多，请减少。",
		Mixed:       "此处混用了不同文字系统的字母，请只使用一种。",
		NoLetters:   "名称至少需要一个文字或数字。",
		TooShort:    "名称太短。",
		TooLong:     "名称太长。",
		Words:       "此处内容不被允许，请换一个词。",
	},
	"ko": {
		Staff:       "이 부분은 운영진으로 오해될 수 있습니다. 다른 단어를 사용해 주세요.",
		Taken:       "이미 사용 중인 이름입니다.",
		LooksTaken:  "이미 사용 중인 이름과 너무 비슷합니다. 조금 더 바꿔 주세요.",
		Reserved:    "예약된 단어입니다. 다른 단어를 사용해 주세요.",
		Hidden:      "보이지 않는 문자가 있습니다. 삭제해 주세요.",
		NoCharacter: "표시할 수 없는 문자가 있습니다. 삭제해 주세요.",
		Marks:       "이 글자에 붙은 기호가 너무 많습니다. 줄여 주세요.",
		Mixed:       "서로 다른 문자 체계가 섞여 있습니다. 한 가지만 사용해 주세요.",
		NoLetters:   "이름에는 글자나 숫자가 필요합니다.",
		TooShort:    "이름이 너무 짧습니다.",
		TooLong:     "이름이 너무 깁니다.",
		Words:       "이 부분은 사용할 수 없습니다. 다른 단어를 사용해 주세요.",
	},
}

package lang

import "strings"

// Tag is a language that the package knows; 0 is none.
type Tag uint8

// None is the Tag of a language that is not known.
const None Tag = 0

// tags holds every language by its Tag. The order is part of the weights.
var tags = [...]string{
	"", "af", "am", "ar", "ar-Latn", "as", "ast", "awa", "az", "be", "ber", "bg", "bn", "bo", "br", "bs", "ca", "cbk", "ceb", "chr", "ckb", "cs",
	"csb", "cy", "da", "de", "dsb", "dtp", "dv", "el", "en", "eo", "es", "et", "eu", "fa", "fi", "fo", "fr", "fy", "ga", "gd", "gl", "gsw", "gu",
	"ha", "he", "hi", "hi-Latn", "hr", "hsb", "hu", "hy", "id", "is", "it", "ja", "jv", "ka", "kab", "kk", "km", "kn", "ko", "ku", "kw", "ky",
	"la", "lo", "lt", "lv", "mhr", "mk", "ml", "ml-Latn", "mn", "mr", "ms", "my", "nb", "nds", "ne", "nl", "nn", "oc", "or", "pa", "pam", "pl",
	"pms", "ps", "pt", "ro", "ru", "si", "sk", "sl", "so", "sq", "sr", "sv", "sw", "ta", "te", "tg", "th", "tk", "tl", "tr", "tt", "ug", "uk",
	"ur", "uz", "vi", "war", "xh", "yi", "yo", "yue", "zh-Hans", "zh-Hant", "zu",
}

// count is the number of tags, None included.
const count = len(tags)

// aliases are other names of a language.
var aliases = map[string]string{
	"zh": "zh-Hans", "wuu": "zh-Hans", "cmn": "zh-Hans", "zh-SG": "zh-Hans", "zh-TW": "zh-Hant", "zh-HK": "zh-Hant", "zh-MO": "zh-Hant",
	"zh-yue": "yue", "no": "nb", "no-NY": "nn", "fil": "tl", "iw": "he", "in": "id", "sh": "sr", "ji": "yi", "mo": "ro", "arz": "ar",
	"arq": "ar", "ary": "ar", "prs": "fa", "pes": "fa", "zsm": "ms", "kmr": "ku", "ur-Latn": "hi-Latn",
}

// byName holds every name as it is usually spelled and in lower case.
var byName = func() map[string]Tag {
	m := make(map[string]Tag, 4*count)
	for i, name := range tags[1:] {
		m[name], m[strings.ToLower(name)] = Tag(i+1), Tag(i+1)
	}
	for name, as := range aliases {
		m[name], m[strings.ToLower(name)] = m[as], m[as]
	}
	return m
}()

// Tags returns the name of every language known, as BCP 47 tags.
func Tags() []string { return append([]string(nil), tags[1:]...) }

// String returns the BCP 47 tag, "" for None.
func (t Tag) String() string {
	if int(t) < count {
		return tags[t]
	}
	return ""
}

// Parse returns the Tag of a BCP 47 tag: the longest part of it that is known, so
// that "pt-BR" is Portuguese; None where nothing is. It allocates only for tags in
// unusual spelling.
func Parse(tag string) Tag {
	if t := parse(tag); t != None || tag == "" {
		return t
	}
	return parse(strings.ReplaceAll(strings.ToLower(tag), "_", "-"))
}

func parse(tag string) Tag {
	for {
		if t, ok := byName[tag]; ok {
			return t
		}
		cut := strings.LastIndexByte(tag, '-')
		if cut < 0 {
			return None
		}
		tag = tag[:cut]
	}
}

// families are languages whose speakers read one another, so that a word list of one
// is a word list of the others.
var families = [...][]string{
	{"zh-Hans", "zh-Hant", "yue"},
	{"bs", "hr", "sr"},
	{"id", "ms"},
	{"da", "nb", "nn"},
	{"cs", "sk"},
	{"bg", "mk"},
	{"dsb", "hsb"},
	{"ceb", "war"},
	{"gl", "pt"},
	{"de", "gsw"},
	{"bn", "as"},
	{"hi", "awa", "hi-Latn"},
	{"ar"},
	{"xh", "zu"},
	{"ca", "oc"},
}

var family = func() (f [count]uint8) {
	for i := range f {
		f[i] = uint8(i)
	}
	for _, g := range families {
		first := byName[g[0]]
		for _, name := range g {
			f[byName[name]] = uint8(first)
		}
	}
	return f
}()

// Kin reports whether a and b are one language or so near that their readers
// understand both.
func Kin(a, b Tag) bool {
	return a == b || a != None && int(a) < count && int(b) < count && family[a] == family[b]
}

package lang

import (
	"strings"
	"testing"
)

func TestIdentify(t *testing.T) {
	for _, c := range []struct{ text, hint, want string }{
		{"see you at the gate in five minutes", "", "en"},
		{"wir treffen uns gleich am Tor", "", "de"},
		{"on se retrouve devant la porte", "", "fr"},
		{"nos vemos en la puerta esta noche", "", "es"},
		{"a gente se vê no portão amanhã", "", "pt"},
		{"ci vediamo stasera davanti alla porta", "", "it"},
		{"kapıda görüşürüz beyler", "", "tr"},
		{"kapida gorusuruz arkadaslar", "", "tr"},
		{"встретимся у ворот через пять минут", "", "ru"},
		{"зустрінемося біля воріт за п'ять хвилин", "", "uk"},
		{"門で会おう", "", "ja"},
		{"서버가 너무 느려", "", "ko"},
		{"我们在门口见吧", "", "zh-Hans"},
		{"我們在門口見吧", "", "zh-Hant"},
		{"這個國家的電話線", "", "zh-Hant"},
		{"这个国家的电话线", "", "zh-Hans"},
		{"เจอกันที่ประตู", "", "th"},
		{"שלום חברים מה קורה", "", "he"},
		{"τα λέμε αύριο στην πύλη", "", "el"},
		{"kal subah milte hain bhai", "", "hi-Latn"},
		{"hẹn gặp ở cổng nhé", "", "vi"},
		// A hint decides where the words do not, and not where they do.
		{"no", "es", "es"},
		{"see you at the gate in five minutes", "de", "en"},
		{"gg", "ko", "ko"},
		{"", "", ""},
		{"12345 !!! 😀", "", ""},
		{"@maria @pedro", "", ""},
	} {
		got := Identify(c.text, Parse(c.hint))
		if got.Best().String() != c.want {
			t.Errorf("Identify(%q, %q) = %v, want %s", c.text, c.hint, got, c.want)
		}
		if got.Best() != None && (got.Top[0].P <= 0 || got.Top[0].P > 1) {
			t.Errorf("Identify(%q): probability %v", c.text, got.Top[0].P)
		}
	}
}

func TestMixed(t *testing.T) {
	for _, c := range []struct{ text, second string }{
		{"see you tomorrow at the gate my friends", ""},
		{"wir treffen uns morgen am Tor und gehen dann los", ""},
		{"hello everyone how are you today меня зовут Саша и я играю", "other"},
		{"this is the best game ever 진짜 재미있다 너무 좋아", "other"},
		{"bist du bereit für die Runde heute because the others are already waiting there", "other"},
	} {
		got := Identify(c.text, None)
		if (got.Second != None) != (c.second != "") {
			t.Errorf("Identify(%q).Second = %s (%.2f), want one: %v", c.text, got.Second, got.Share, c.second != "")
		}
	}
}

func TestParse(t *testing.T) {
	for tag, want := range map[string]string{
		"en-GB": "en", "pt_BR": "pt", "zh": "zh-Hans", "zh-TW": "zh-Hant", "zh-Hant-HK": "zh-Hant", "NO": "nb", "fil-PH": "tl", "xx": "", "": "", "sr-Latn-RS": "sr",
	} {
		if got := Parse(tag).String(); got != want {
			t.Errorf("Parse(%q) = %q, want %q", tag, got, want)
		}
	}
	if !Kin(Parse("hr"), Parse("sr")) || Kin(Parse("es"), Parse("pt")) || Kin(None, Parse("es")) {
		t.Error("Kin: Croatian and Serbian are kin, Spanish and Portuguese are not")
	}
}

func TestNoAllocation(t *testing.T) {
	// Not through the pool, which drops some of its memory under the race detector.
	d, model := new(reader), loaded()
	if n := testing.AllocsPerRun(100, func() {
		d.read("see you at the gate in five minutes")
		d.identify(model, Parse("en-GB"))
	}); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func FuzzIdentify(f *testing.F) {
	f.Add("see you", "en")
	f.Add(strings.Repeat("傻a", 400), "zh")
	f.Fuzz(func(t *testing.T, text, hint string) {
		res := Identify(text, Parse(hint))
		sum := float32(0)
		for _, g := range res.Top {
			sum += g.P
		}
		if sum > 1.001 {
			t.Errorf("probabilities add up to %v", sum)
		}
	})
}

func BenchmarkIdentify(b *testing.B) {
	for name, text := range map[string]string{
		"english": "gg well played everyone, see you tomorrow at the gate", "russian": "пойдём на босса через пять минут",
		"chinese": "大家打得不错，下一局先推中路再打龙", "japanese": "ボスを倒したら次の部屋で集合しよう", "long": strings.Repeat("see you at the gate ", 500),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Identify(text, None)
			}
		})
	}
}

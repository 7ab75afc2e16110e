package text

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/portcullis-gg/portcullis/engines"
)

// frameList is a small English list of the kind that frames are made of.
const frameList = `language: en
groups:
  - {kind: gender, terms: [women, woman, girls, girl]}
  - {kind: orientation, terms: [gays, gay people, lesbians]}
  - {kind: migration, terms: [immigrants, illegal immigrants, refugees]}
  - {kind: religion, terms: [muslims, jews]}
attacks:
  - {strength: 3, terms: [vermin, subhuman, should die, should be killed, kill, kill all, get rid of, go back to]}
  - {strength: 2, terms: [inferior, disgusting, hate, will never be smart, should not be allowed, ruin everything, fucking]}
  - {strength: 1, terms: [stupid, lazy, illegal]}
counters: [not, never, nobody, dont, saying, people who say, racist, is wrong, wrong to, stand up for]
vocabulary:
  threat_will: [i will, ill, im gonna, gonna, i am going to, we will]
  threat_verb: [kill, murder, rape, find, beat]
  threat_you: [you, u, your family]
  suicide: [jump off a bridge, drink bleach]
`

const frameListJa = `language: ja
groups:
  - {kind: migration, terms: [移民, 外国人]}
attacks:
  - {strength: 3, terms: [害虫, 死ね, は死ぬべき, を殺せ]}
  - {strength: 1, terms: [馬鹿, は怠け者]}
counters: [ではない, じゃない, は差別, と言う人]
vocabulary:
  threat_verb: [殺す, 殺してやる]
  threat_you: [お前, お前の家族]
`

const frameListTr = `language: tr
groups:
  - {kind: gender, terms: [kadınlar]}
attacks:
  - {strength: 2, terms: [aşağılık]}
  - {strength: 1, terms: [aptal, aptaldır]}
counters: [değil, ırkçılık, diyen]
`

type frameCase struct {
	text     string
	min, max float64
}

func checkFrames(t *testing.T, list, language string, category engines.Category, cases []frameCase) {
	t.Helper()
	e := custom(t, list)
	for _, c := range cases {
		got := 0.0
		for _, s := range look(t, e, c.text, language) {
			if s.Category == category && s.Source == engines.SourceLexicon {
				got = max(got, s.Confidence)
			}
		}
		if got < c.min || got > c.max {
			t.Errorf("%q: %s %.2f, want %.2f to %.2f", c.text, category, got, c.min, c.max)
		}
	}
}

// TestGroupAttacks follows the functional classes of HateCheck.
func TestGroupAttacks(t *testing.T) {
	checkFrames(t, frameList, "", engines.Hate, []frameCase{
		// derogation, dehumanisation, threats, implicit, negated positive, profanity
		{"women are stupid", 0.55, 0.7},
		{"all immigrants are vermin", 0.85, 1},
		{"muslims should be killed", 0.85, 1},
		{"kill all gays", 0.85, 1},
		{"I hate women", 0.7, 0.8},
		{"women will never be smart", 0.7, 0.8},
		{"women should not be allowed to vote", 0.7, 0.8},
		{"why are women so stupid?", 0.55, 0.7},
		{"fucking immigrants", 0.7, 0.8},
		{"we must get rid of all the refugees in this town", 0.8, 1},
		{"I'm not racist but women are inferior", 0, 0.8},
		{"w0men are v3rmin", 0.8, 1},
		// negated hate, counter-speech, neutral and positive words, questions
		{"women are not inferior", 0, 0.5},
		{"nobody should kill gays", 0, 0.5},
		{"I don't hate women", 0, 0.5},
		{"saying that all women are stupid is racist", 0, 0.5},
		{"I hate people who say that immigrants are vermin", 0, 0.5},
		{"it is wrong to kill gays", 0, 0.5},
		{"I love women", 0, 0},
		{"are women stupid?", 0, 0.5},
		// individuals, objects, other clauses
		{"my girl is stupid", 0, 0.5},
		{"this boss is vermin. women play too", 0, 0},
		{"I saw girls at the gate. kill the boss", 0, 0},
		{"illegal immigrants play here", 0, 0},
		{"we immigrants are called vermin", 0, 0.65},
	})
}

func TestThreats(t *testing.T) {
	checkFrames(t, frameList, "", engines.Violence, []frameCase{
		{"i will kill you", 0.65, 0.75},
		{"I'm gonna murder your family", 0.85, 1},
		{"i will find you in real life at your house", 0.7, 0.9},
		{"i will kill you in the next round", 0, 0.5},
		{"I will find you at the gate", 0, 0.5},
		{"i will never kill you", 0, 0.3},
		{"i won't kill you", 0, 0.5},
		{"the boss will kill you", 0, 0.54},
		{"you kill the boss", 0, 0},
	})
	checkFrames(t, frameList, "", engines.Illegal, []frameCase{
		{"go drink bleach", 0.8, 1},
		{"never tell anybody to drink bleach. never drink bleach", 0, 0.5},
	})
}

func TestFramesOfOtherOrders(t *testing.T) {
	checkFrames(t, frameListJa, "ja", engines.Hate, []frameCase{
		{"移民は害虫だ", 0.85, 1},
		{"外国人は馬鹿", 0.55, 0.7},
		{"移民は害虫ではない", 0, 0.5},
		{"移民は害虫と言う人は嫌い", 0, 0.5},
		{"移民が来た。この害虫め", 0, 0},
	})
	checkFrames(t, frameListJa, "ja", engines.Violence, []frameCase{{"お前を殺す", 0.55, 0.7}, {"お前の家族を殺してやる", 0.85, 1}, {"次のボスでお前を殺す", 0, 0.5}})
	checkFrames(t, frameListTr, "tr", engines.Hate, []frameCase{
		{"kadınlar çok aptal", 0.55, 0.7},
		{"kadınlar aşağılık değil", 0, 0.5},
		{"bütün kadınlar aşağılık", 0.7, 0.8},
	})
}

func TestInLanguage(t *testing.T) {
	e := custom(t, "language: nl\nentries:\n  - {terms: [kut], category: harassment, severity: 2, in_language: true}\n")
	for _, c := range []struct {
		text, hint string
		want       int
	}{
		{"wat een kut spel is dit zeg", "", 1},
		{"wat een kut spel is dit zeg", "en", 1},
		{"kut", "", 1},
		{"kut", "nl", 1},
		{"bu odunu ikiye kut diyorlar bana", "", 0},
		{"the place is called kut and it lies on a river", "", 0},
	} {
		if got := look(t, e, c.text, c.hint); len(got) != c.want {
			t.Errorf("%q with hint %q = %+v, want %d signals", c.text, c.hint, got, c.want)
		}
	}
}

func TestFacts(t *testing.T) {
	lists := custom(t, frameList)
	s := newScratch()
	for _, c := range []struct {
		text          string
		group, attack bool
		strong        bool
		countered     bool
	}{
		{"hello there", false, false, false, false},
		{"women play this game", true, false, false, false},
		{"women are vermin", true, true, true, false},
		{"women are not vermin", true, true, false, true},
	} {
		if _, err := lists.find(t.Context(), s, &engines.Item{Kind: engines.KindText, Text: c.text}, nil); err != nil {
			t.Fatal(err)
		}
		if f := s.facts; f.group != c.group || f.attack != c.attack || (f.strength > 0.8) != c.strong || f.countered != c.countered {
			t.Errorf("%q: %+v", c.text, f)
		}
	}
}

func TestFaultyFrames(t *testing.T) {
	e := "language: en\ngroups:\n  - {kind: hair, terms: [blondes]}\nattacks:\n  - {strength: 4, terms: ['-']}\n  - {strength: 1}\n"
	l := &list{}
	if err := decodeList(e, l); err != nil {
		t.Fatal(err)
	}
	err := l.validate()
	for _, want := range []string{`unknown kind "hair"`, "1 to 3", "has no letter", "without terms"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("validate = %v, want %q in it", err, want)
		}
	}
}

// TestManyParts: a message made of nothing but parts costs what its length does.
func TestManyParts(t *testing.T) {
	e := custom(t, frameList)
	for _, unit := range []string{"women stupid ", "kill you ", "women not stupid i will kill you, "} {
		look(t, e, strings.Repeat(unit, 700), "en")
	}
}

func BenchmarkFrames(b *testing.B) {
	for name, text := range map[string]string{"attack": "i think women are stupid and lazy all of them", "group": "women play this game as well you know, see you there", "none": "people play this game as well you know, see you there"} {
		b.Run(name, func(b *testing.B) {
			e := custom(b, frameList)
			item := &engines.Item{Kind: engines.KindText, Text: text}
			var out []engines.Signal
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if out, err = e.Inspect(b.Context(), item, out[:0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func decodeList(text string, l *list) error {
	dec := yaml.NewDecoder(strings.NewReader(text))
	dec.KnownFields(true)
	return dec.Decode(l)
}

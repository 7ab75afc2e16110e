package phrases

import (
	"cmp"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

// Beside are other words that a guess may stand for: a word more or less on either side,
// the two that sound most like it. What a recogniser misheard rarely ends where a phrase does.
func Beside(words []string, g speech.Guess) []speech.Guess {
	sound, letters := spoken(strings.Fields(g.Text)), latin(g.Text)
	var found []speech.Guess
	for _, move := range [...][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}} {
		o := speech.Guess{First: g.First + move[0], After: g.After + move[1], Text: g.Text}
		if o.First < 0 || o.After > len(words) || o.First >= o.After {
			continue
		}
		of := words[o.First:o.After]
		o.Off = off(distance(sound, spoken(of)), sound, letters, latin(strings.Join(of, "")))
		found = append(found, o)
	}
	slices.SortStableFunc(found, func(a, b speech.Guess) int { return cmp.Compare(a.Off, b.Off) })
	return found[:min(len(found), 2)]
}

// spoken are the sounds of words.
func spoken(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(soundOf(w))
	}
	return b.String()
}

// off is how much of a phrase is otherwise than what was heard.
func off(sounds int, sound, letters, spelt string) float64 {
	return float64(sounds)/float64(max(1, len(sound))) + 0.5*float64(distance(letters, spelt))/float64(max(1, len(letters), len(spelt)))
}

// distance is that of Levenshtein.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

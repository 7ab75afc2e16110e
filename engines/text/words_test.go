package text

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

var writeWords = flag.String("write-words", "", "files of clean rows (gzipped JSON lines: text, source, toxic), to make data/words.bin of")

// wordSources are sets of ordinary sentences, names and places. Others call a
// row clean that holds an insult.
var wordSources = map[string]bool{
	"tatoeba-laser": true, "songys-chatbot": true, "dr5hn-places": true, "tanaka-enja": true, "chatterbot": true,
	"pokeapi-names": true, "warframe-i18n": true, "dariusk-corpora": true, "names-cjk": true, "terasology-i18n": true, "showdown-i18n": true,
	"dota-items": true, "medquad": true, "names-th": true, "names-it": true, "code-lines": true,
}

// seldom is how often a word must stand in other sources to be an ordinary one.
const seldom = 3

// TestWriteWords writes the table of ordinary words when it is asked to.
func TestWriteWords(t *testing.T) {
	if *writeWords == "" {
		t.Skip("only with -write-words")
	}
	e := listed(t)
	out := &wordFilter{bits: make([]uint64, 1<<16)}
	words := map[uint64]int{}
	for name := range strings.SplitSeq(*writeWords, ",") {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		rows := bufio.NewScanner(z)
		rows.Buffer(nil, 1<<20)
		for rows.Scan() {
			var row struct {
				Text, Source string
				Toxic        bool
			}
			if err := json.Unmarshal(rows.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			if row.Toxic {
				continue
			}
			hits, err := e.Inspect(t.Context(), &engines.Item{Kind: engines.KindText, Text: row.Text}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) > 0 && row.Source != "dr5hn-places" {
				continue
			}
			n := normaliser{folds: theFolds()}
			n.run(row.Text)
			var v view
			buildPlain(&v, n.units, everySign)
			for p := range chunks(&v) {
				if p.letters > 1 && p.letters <= longestGuess {
					if words[p.hash]++; wordSources[row.Source] {
						words[p.hash] += seldom
					}
				}
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	for h, n := range words {
		if n >= seldom {
			out.add(h)
		}
	}
	var data []byte
	for _, b := range out.bits {
		data = binary.LittleEndian.AppendUint64(data, b)
	}
	if err := os.WriteFile("data/words.bin", data, 0o644); err != nil { //nolint:gosec // data of the repository
		t.Fatal(err)
	}
	t.Logf("%d words", len(words))
}

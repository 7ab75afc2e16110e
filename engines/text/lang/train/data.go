package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// row is a sentence and its language.
type row struct {
	text string
	tag  lang.Tag
}

// sources are those whose language labels can be trusted; 0 is no limit to the
// rows of one language.
var sources = map[string]int{
	"tatoeba-laser": 1500, "chatterbot": 0, "warframe-i18n": 600, "terasology-i18n": 0, "showdown-i18n": 400, "pan-detox": 0, "multijail": 150,
	"xsafety": 300, "songys-chatbot": 600, "wisesight": 600, "teknofest-tr": 800, "lingda-tr": 800, "thien-vi": 600, "vihos": 600, "hatescore": 600,
	"tanaka-enja": 600, "davidson": 500, "ubuntu-irc": 1500, "blob-id": 0, "told-br": 800, "dravidian": 1500, "mpold": 600, "mlma": 600,
	"germeval18": 800, "gahd": 500, "ro-offense": 800, "bengali-hate": 600, "suomi24-tox": 0, "cold": 800, "cold-zht": 800, "uci-sms": 600,
	"notoxic-dota2": 0, "addetector-mc": 800, "addetector-zht": 800, "names-cjk": 300, "hatexplain": 400, "synth2": 0,
}

// renamed are labels that are kept under another name; "" leaves them out: they
// are dead, or made up and near to living ones.
var renamed = map[string]string{
	"wuu": "zh-Hans", "kzj": "dtp", "ar-DZ": "ar", "ar-EG": "ar", "lfn": "", "ia": "", "io": "", "ie": "", "nov": "", "tzl": "", "orv": "", "ang": "",
	"max": "", "ch": "", "swg": "gsw", "und": "",
}

const mostRows = 4000 // of one language

// readRows reads the rows of the folder that may be trained on, in a fixed order.
func readRows(dir string) (train, dev []row, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl.gz"))
	if err != nil || len(names) == 0 {
		return nil, nil, errors.Join(fmt.Errorf("no data in %q", dir), err)
	}
	slices.Sort(names)
	seen := map[string]int{}
	for _, name := range names {
		if strings.Contains(filepath.Base(name), "restricted") || strings.Contains(filepath.Base(name), "evasion") {
			continue
		}
		if err := readFile(name, seen, &train, &dev); err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	return limit(append(train, seedRows()...), mostRows), dev, nil
}

func readFile(name string, seen map[string]int, train, dev *[]row) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	defer func() { _ = f.Close() }() // read only: nothing to lose
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct{ Text, Lang, Source, Split string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("parse: %w", err)
		}
		most, ok := sources[r.Source]
		if !ok {
			continue
		}
		if as, ok := renamed[r.Lang]; ok {
			r.Lang = as
		}
		tag := lang.Parse(written(r.Lang, r.Text))
		if tag == lang.None {
			continue
		}
		key := r.Source + " " + r.Lang + " " + r.Split
		if seen[key]++; most > 0 && seen[key] > most {
			continue
		}
		if r.Split == "train" {
			*train = append(*train, row{r.Text, tag})
		} else if r.Source != "names-cjk" && r.Source != "ubuntu-irc" && r.Source != "synth2" {
			*dev = append(*dev, row{r.Text, tag})
		}
	}
	return lines.Err() //nolint:wrapcheck // the caller names the file
}

// scripts that the text of a language is expected in, where there is a doubt.
var scripts = map[string]*unicode.RangeTable{
	"hi": unicode.Devanagari, "mr": unicode.Devanagari, "ml": unicode.Malayalam, "bn": unicode.Bengali, "ar": unicode.Arabic, "fa": unicode.Arabic,
	"ur": unicode.Arabic, "ru": unicode.Cyrillic, "uk": unicode.Cyrillic, "zh-Hans": unicode.Han, "zh-Hant": unicode.Han, "ko": unicode.Hangul,
	"th": unicode.Thai, "he": unicode.Hebrew, "am": unicode.Ethiopic, "ta": unicode.Tamil,
}

// written returns the tag of a text by its script: romanised text is a language of
// its own, or left out.
func written(tag, text string) string {
	t, ok := scripts[tag]
	if !ok {
		return tag
	}
	in, latin := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(t, r):
			in++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	switch {
	case in >= latin && in > 0:
		return tag
	case in == 0 && latin > 5 && (tag == "ml" || tag == "hi"):
		return tag + "-Latn"
	}
	return ""
}

// limit keeps at most n rows of each language, drawn by their text.
func limit(rows []row, n int) []row {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a fixed order, no secret
	rng.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	counts := map[lang.Tag]int{}
	return slices.DeleteFunc(rows, func(r row) bool {
		counts[r.tag]++
		return counts[r.tag] > n
	})
}

func hashText(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum64()
}

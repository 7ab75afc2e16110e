package whisper

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// tokens is what a network writes in.
type tokens struct {
	bytes   [][]byte       // of each token that is text, nil for the others
	ids     map[string]int // of those, by their bytes
	special map[string]int

	start, end, transcribe, silence, plain int            // plain is "no timestamps"
	languages                              map[string]int // nil where it knows English alone
	suppressed, suppressedFirst            []int
}

// multilingual is the end of text in the vocabulary of all languages, which has one
// token of text more than that of English.
const multilingual = 50257

// readTokens reads vocabulary.txt and config.json as CTranslate2 has them.
func readTokens(vocabulary, config []byte) (*tokens, error) {
	suppress, begin, languages, err := lists(config)
	if err != nil {
		return nil, fmt.Errorf("read config.json: %w", err)
	}
	t := &tokens{special: map[string]int{}, ids: map[string]int{}, languages: map[string]int{}}
	lines := bytes.Split(bytes.TrimSuffix(vocabulary, []byte("\n")), []byte("\n"))
	letters := byteLetters()
	var names []string
	for i, line := range lines {
		s := string(bytes.TrimSuffix(line, []byte("\r")))
		names = append(names, s)
		if strings.HasPrefix(s, "<|") && strings.HasSuffix(s, "|>") {
			t.special[s[2:len(s)-2]] = i
			t.bytes = append(t.bytes, nil)
			continue
		}
		b := make([]byte, 0, len(s))
		for _, r := range s {
			c, ok := letters[r]
			if !ok {
				return nil, fmt.Errorf("read vocabulary.txt: line %d has %q, which stands for no byte", i+1, r)
			}
			b = append(b, c)
		}
		t.bytes = append(t.bytes, b)
		t.ids[string(b)] = i
	}
	if err := t.find(); err != nil {
		return nil, err
	}
	for _, id := range languages {
		if id >= 0 && id < len(names) && t.bytes[id] == nil && len(names[id]) > 4 {
			t.languages[names[id][2:len(names[id])-2]] = id
		}
	}
	if t.end < multilingual { // a network of English alone was not trained with the others
		t.languages = nil
	}
	for _, id := range slices.Concat(suppress, begin) {
		if id < 0 || id >= len(lines) {
			return nil, fmt.Errorf("read config.json: it suppresses token %d of %d", id, len(lines))
		}
	}
	t.suppressed, t.suppressedFirst = suppress, begin
	return t, nil
}

// lists are the lists of tokens in config.json.
func lists(config []byte) (suppress, begin, languages []int, err error) {
	var c map[string]json.RawMessage
	if err := json.Unmarshal(config, &c); err != nil {
		return nil, nil, nil, err //nolint:wrapcheck // the caller does
	}
	for key, to := range map[string]*[]int{"suppress_ids": &suppress, "suppress_ids_begin": &begin, "lang_ids": &languages} {
		if c[key] == nil {
			continue
		}
		if err := json.Unmarshal(c[key], to); err != nil {
			return nil, nil, nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return suppress, begin, languages, nil
}

// find looks up the tokens that steer.
func (t *tokens) find() error {
	for name, to := range map[string]*int{"startoftranscript": &t.start, "endoftext": &t.end, "transcribe": &t.transcribe, "notimestamps": &t.plain} {
		id, ok := t.special[name]
		if !ok {
			return fmt.Errorf("read vocabulary.txt: it has no <|%s|>", name)
		}
		*to = id
	}
	t.silence = -1
	for _, name := range []string{"nospeech", "nocaptions"} {
		if id, ok := t.special[name]; ok {
			t.silence = id
		}
	}
	if t.silence < 0 {
		return errors.New("read vocabulary.txt: it has neither <|nospeech|> nor <|nocaptions|>")
	}
	return nil
}

// byteLetters are the letters that stand for bytes in GPT-2's vocabulary: those that
// print stand for themselves, the others for letters from U+0100 on.
func byteLetters() map[rune]byte {
	m, n := make(map[rune]byte, 256), rune(0)
	for b := range 256 {
		r := rune(b)
		prints := r >= '!' && r <= '~' || r >= 0xa1 && r <= 0xac || r >= 0xae && r <= 0xff
		if !prints {
			r = 0x100 + n
			n++
		}
		m[r] = byte(b) //nolint:gosec // below 256
	}
	return m
}

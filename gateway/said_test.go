package gateway

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// said is what people wrote in their own words in the bodies of a test's requests. It may
// quote a player, so that no line of the log may have it; the audit log does.
type said struct {
	mu    sync.Mutex
	words []string
}

// ownWords are the members of bodies that are anybody's own words.
var ownWords = []string{"reason", "comment", "note", "detail", "description", "message", "statement", "text", "why"}

// saidLeast is how long a word is at least that can't be another attribute's by chance.
const saidLeast = 4

func (s *said) hear(body string) {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &m) != nil {
		return
	}
	for name, raw := range m {
		var word string
		if slices.Contains(ownWords, name) && json.Unmarshal(raw, &word) == nil && len(word) >= saidLeast {
			s.mu.Lock()
			s.words = append(s.words, word)
			s.mu.Unlock()
		}
	}
}

// logged matches an attribute of a line: its name, and its value, quoted or not.
var logged = regexp.MustCompile(`([\w.]+)=("(?:[^"\\]|\\.)*"|\S+)`)

func (s *said) notIn(t *testing.T, log string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range logged.FindAllStringSubmatch(log, -1) {
		value := a[2]
		if plain, err := strconv.Unquote(value); err == nil {
			value = plain
		}
		if slices.ContainsFunc(s.words, func(word string) bool {
			return value == word || strings.Contains(word, " ") && strings.Contains(value, word)
		}) {
			t.Errorf("the log has what somebody wrote, as %s: %q", a[1], value)
		}
	}
}

package review

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

func line(player, text string, at time.Time) *engines.Item {
	return &engines.Item{App: "a", Player: engines.PlayerID(player), Kind: engines.KindText, Text: text, ReceivedAt: at}
}

func texts(lines []engines.Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return strings.Join(out, " ")
}

func TestRecallOfPlayers(t *testing.T) {
	r := newRecall(64, time.Minute)
	now := time.Unix(1000, 0)
	if c := r.around(line("ann", "one", now)); c != nil {
		t.Errorf("context of a first line = %+v, want none", c)
	}
	r.around(line("bob", "two", now.Add(time.Second)))
	c := r.around(line("ann", "three", now.Add(2*time.Second)))
	if got := texts(c.Player); got != "one" {
		t.Errorf("ann's lines = %q, want one", got)
	}
	other := line("ann", "x", now.Add(3*time.Second))
	other.App = "b"
	if c := r.around(other); c != nil {
		t.Errorf("another app's player has the context %+v", c)
	}
	if c := r.around(line("ann", "four", now.Add(90*time.Second))); c != nil {
		t.Errorf("after the window: %+v, want none", c)
	}
}

// What an engine was given never changes, however much is said afterwards.
func TestRecallLeavesWhatItGave(t *testing.T) {
	r := newRecall(64, time.Minute)
	now := time.Unix(1000, 0)
	for i := range 3 {
		r.around(line("ann", strconv.Itoa(i), now))
	}
	c := r.around(line("ann", "3", now))
	want := texts(c.Player)
	for i := range 20 {
		r.around(line("ann", strconv.Itoa(10+i), now))
	}
	if got := texts(c.Player); got != want {
		t.Errorf("lines became %q, want %q", got, want)
	}
	c = r.around(line("ann", "end", now))
	if len(c.Player) != playerLines {
		t.Errorf("kept %d lines, want %d", len(c.Player), playerLines)
	}
}

func TestRecallIsBounded(t *testing.T) {
	const places = 640
	r := newRecall(places, time.Minute)
	now := time.Unix(1000, 0)
	for i := range 50 * places {
		r.around(line(fmt.Sprint("p", i), strings.Repeat("é", 500), now))
	}
	n := 0
	for i := range r.shards {
		n += len(r.shards[i].young) + len(r.shards[i].old)
		for _, lines := range r.shards[i].young {
			if len(lines[0].Text) > lineBytes {
				t.Fatalf("kept %d bytes of a line, want at most %d", len(lines[0].Text), lineBytes)
			}
		}
	}
	if n > places {
		t.Errorf("remembers %d places, want at most %d", n, places)
	}
}

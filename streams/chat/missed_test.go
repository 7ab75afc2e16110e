package chat

import (
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
)

// TestMissed has the bus fall silent for one gateway: what was said meanwhile
// comes from the scene's log, once and in order, and only to those who were there.
func TestMissed(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	ann, bob := login(t, a, "player ann lobby"), login(t, b, "player bob lobby")
	sayAll(ann, numbers(1, 3))
	bob.wantSaid(numbers(1, 3))

	lobby := sceneKey{"game", "lobby"}
	b.node.set(func(n *node) { n.heard[lobby] = false })
	sayAll(ann, numbers(4, 6))
	cat := login(t, b, "player cat lobby") // joins after it was said
	b.node.set(func(n *node) { n.heard[lobby] = true })
	b.hub.Missed()
	b.hub.Missed() // the second finds nothing new
	bob.wantSaid(numbers(1, 6))
	sayAll(ann, numbers(7, 8))
	bob.wantSaid(numbers(1, 8))
	cat.wantSaid(numbers(7, 8))
}

// TestHeard: the ring forgets the oldest, and only that.
func TestHeard(t *testing.T) {
	var h heard
	id := func(i int) engines.RequestID { return engines.RequestID(strconv.Itoa(i)) }
	for i := range 2 * heardLength {
		if !h.add(id(i)) || h.add(id(i)) {
			t.Fatalf("entry %d is not new once", i)
		}
	}
	if h.add(id(heardLength)) {
		t.Error("an entry of the last heardLength was forgotten")
	}
	if !h.add(id(heardLength-1)) || len(h.ids) != heardLength {
		t.Errorf("%d kept, want %d", len(h.ids), heardLength)
	}
}

func TestEarlier(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"0", "1-0", true},
		{"1-1", "1-2", true},
		{"1-2", "1-2", false},
		{"9-0", "10-0", true},
		{"10-0", "9-5", false},
	} {
		if got := earlier(test.a, test.b); got != test.want {
			t.Errorf("earlier(%s, %s) = %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

// Two who speak at once may be pushed in one order and logged in the other. Where
// the session's log has lost its beginning, what stands there in the scene's log
// was pushed all the same.
func TestCatchUpAtATrimmedEnd(t *testing.T) {
	w := newWorld()
	a := serve(t, w, "a", testConfig(), desk(words))
	bob := login(t, a, "player bob lobby")
	s := a.session(bob)
	key := sceneKey{s.app, "lobby"}
	w.mu.Lock()
	for i, id := range []string{"2", "1", "3", "4", "5"} { // "1" was pushed first, and fell out of the session's log
		w.scenes[key] = append(w.scenes[key], session.SceneEntry{
			ID: strconv.Itoa(i+1) + "-0", Node: "b", Message: engines.RequestID(id), Player: "ann", Frame: []byte(`{}`),
		})
	}
	w.mu.Unlock()
	s.taken = &takenOver{known: map[engines.RequestID]struct{}{"2": {}, "3": {}, "4": {}}}
	got, err := s.missed(t.Context(), session.Joined{Scene: "lobby", After: "0"}, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Message != "5" {
		t.Errorf("missed %+v, want 5 alone", got)
	}
}

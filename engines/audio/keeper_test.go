package audio_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio"
)

// keeper notes whose voice it is given.
type keeper struct {
	wants bool
	heard []string
}

func (k *keeper) Wants(*engines.Item) bool { return k.wants }

func (k *keeper) Heard(item *engines.Item, voice []float32, ms int64) {
	k.heard = append(k.heard, fmt.Sprint(item.Player, " ", slices.Index(voice, 1), " ", ms))
}

// TestVoicesAreKeptWhereAllowed: a keeper is given the voice of speech that is over, at
// most as much as was looked at, where the policy allows it and alone there; what goes on
// would come twice.
func TestVoicesAreKeptWhereAllowed(t *testing.T) {
	k := &keeper{wants: true}
	asked := 0
	r, err := audio.NewReader(audio.ReaderConfig{Keeper: k, Text: clean{}, Inner: finder(func(item *engines.Item) bool {
		item.Media.Leave(func() ([]float32, error) { asked++; return voiceOf(2), nil })
		item.Media.Learn(&engines.MediaFacts{Speech: []engines.Stretch{{FromMS: 1000, ToMS: 6000}}})
		return false
	})})
	if err != nil {
		t.Fatal(err)
	}
	hear := func(player engines.PlayerID, rule *engines.VoiceLink, s *engines.Sound) {
		t.Helper()
		item := &engines.Item{App: "a", Player: player, Scene: "lobby", Session: "s", Kind: engines.KindAudio, VoiceLink: rule, Media: &engines.Media{Sound: s}}
		if _, err := r.Inspect(t.Context(), item, nil); err != nil {
			t.Fatal(err)
		}
	}
	rule := &engines.VoiceLink{}
	hear("ann", rule, &engines.Sound{})
	hear("ann", rule, &engines.Sound{}) // within 30 s of the first: since it is wanted
	hear("ann", rule, &engines.Sound{Partial: true})
	hear("ann", rule, nil) // a file, whose voices are numbered
	hear("bob", nil, &engines.Sound{})
	hear("bob", nil, &engines.Sound{})
	k.wants = false
	hear("ann", rule, &engines.Sound{})
	if want := []string{"ann 2 3000", "ann 2 3000"}; !slices.Equal(k.heard, want) || asked != 4 {
		t.Errorf("heard %v, %d asked; want %v, 4", k.heard, asked, want)
	}
}

package text_test

import (
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/text"
)

func TestSayings(t *testing.T) {
	grave, err := text.Sayings("en", 3)
	if err != nil {
		t.Fatal(err)
	}
	all, err := text.Sayings("en", 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(grave) == 0 || len(all) <= len(grave) || !slices.Contains(all, "stupid noob") || slices.Contains(all, "damn") {
		t.Errorf("%d grave sayings, %d in all", len(grave), len(all))
	}
	if _, err := text.Sayings("no such language", 1); err == nil {
		t.Error("a language without a list has sayings")
	}
}

package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/portcullis-gg/portcullis/economy/risk"
	"github.com/portcullis-gg/portcullis/economy/rules"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// TestRulesOfTheReadme stores what the rules' own page shows, with its cases.
func TestRulesOfTheReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../economy/rules/README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1)
	if len(blocks) < 2 {
		t.Fatalf("%d rules, want two or more", len(blocks))
	}
	keeper := rules.New(rules.Deps{Known: risk.Known})
	for i, b := range blocks {
		o, err := wire.Parse(b[1])
		if err != nil {
			t.Fatalf("rule %d: %v", i, err)
		}
		r := wire.ReadRule(o, "game", false)
		r.Name = "r"
		if err := o.Merge("", keeper.Faults(&r)); err != nil {
			t.Errorf("rule %d: %v", i, err)
		}
		if len(r.MustHit) == 0 || len(r.MustPass) == 0 {
			t.Errorf("rule %d has no cases", i)
		}
	}
}

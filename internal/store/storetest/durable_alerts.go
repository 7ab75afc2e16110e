package storetest

import (
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// testAlertsMoved: what a risk comes to is noted on its open case, once over all
// gateways, and closes it where that is asked for and nobody has it.
func testAlertsMoved(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	endpoint(t, s, "game", "h")
	open := func(player string) economy.AlertCase {
		t.Helper()
		c, ok, err := s.OpenAlert(ctx, economy.Alert{Kind: economy.HighRisk, App: "game", Player: engines.PlayerID(player), Score: 80, Level: economy.High})
		if err != nil || !ok {
			t.Fatalf("%s: opened %v, %v", player, ok, err)
		}
		return c
	}
	move := func(player string, score int, fallen, closes bool) (economy.AlertCase, bool) {
		t.Helper()
		c, ok, err := s.MoveAlert(ctx, economy.AlertMove{
			App: "game", Player: engines.PlayerID(player), Close: closes, Now: economy.AlertNow{Score: score, Level: economy.LevelOf(score), At: 7, Fallen: fallen},
		})
		must(t, err)
		return c, ok
	}
	risks := func(after engines.PlayerID, most int) []economy.OpenRisk {
		t.Helper()
		list, err := s.OpenRisks(ctx, "game", after, most)
		must(t, err)
		return list
	}
	a, _ := open("a"), open("b")
	if _, ok := move("a", 90, false, false); ok {
		t.Error("a risk that never fell rose")
	}
	if _, ok := move("nobody", 10, true, true); ok {
		t.Error("a case that there is not moved")
	}
	_, errs := race(8, func(int) error {
		_, _, err := s.MoveAlert(ctx, economy.AlertMove{App: "game", Player: "a", Now: economy.AlertNow{Score: 40, Level: economy.Attention, At: 7, Fallen: true}})
		return err
	})
	if errs != nil {
		t.Fatal(errs)
	}
	same(t, "open risks", risks("", 10), []economy.OpenRisk{{Player: "a", Fallen: true}, {Player: "b"}})
	same(t, "those after a", risks("a", 10), []economy.OpenRisk{{Player: "b"}})
	same(t, "the first", risks("", 1), []economy.OpenRisk{{Player: "a", Fallen: true}})
	c, err := s.Case(ctx, a.ID)
	must(t, err)
	if c.State != store.CaseOpen || c.Version != 2 || c.Alert.Score != 80 || c.Alert.Now == nil || c.Alert.Now.Score != 40 || !c.Alert.Now.Fallen {
		t.Errorf("the case that fell: %+v, %+v", c, c.Alert)
	}
	steps, err := s.CaseEvents(ctx, a.ID)
	must(t, err)
	if len(steps) != 1 || steps[0].Action != "risk_fell" || steps[0].Actor != "system" {
		t.Errorf("its history: %+v", steps)
	}
	if up, ok := move("a", 92, false, false); !ok || up.Alert.Change() != "rose" || up.Version != 3 {
		t.Errorf("moved %v: %+v", ok, up)
	}
	// Whoever has a case keeps it.
	_, _, err = s.MoveCase(ctx, a.ID, "claim", "", func(f store.CaseFacts) (store.CaseChange, error) {
		f.Case.State, f.Case.Assignee, f.Case.Until = store.CaseClaimed, "ada", now().Add(time.Hour)
		f.Case.Version++
		return moved(f.Case, "claim", "ada", now()), nil
	})
	must(t, err)
	if mine, ok := move("a", 30, true, true); !ok || mine.State != store.CaseClaimed {
		t.Errorf("moved %v: %+v", ok, mine)
	}
	if shut, ok := move("b", 30, true, true); !ok || shut.State != store.CaseClosed {
		t.Errorf("moved %v: %+v", ok, shut)
	}
	if c, ok := move("b", 90, false, false); ok {
		t.Errorf("a closed case moved: %+v", c)
	}
	open("b") // nobody has decided about it
	events, err := s.Events(ctx, 100)
	must(t, err)
	var told []string
	for i := range events {
		if events[i].Type == store.EventEconomyCase {
			told = append(told, string(events[i].Case.Player)+" "+events[i].Case.Alert.Change())
		}
	}
	same(t, "told", told, []string{"a opened", "b opened", "a fell", "a rose", "a fell", "b fell", "b opened"})
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}

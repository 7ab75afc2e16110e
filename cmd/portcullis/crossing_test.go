package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// factor waits for a factor of a player's risk: factor GATEWAY PLAYER CODE SCORE.
func (s *script) factor(args []string) error {
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		_, err := s.ask([]string{arg(args, 0), "200", "GET", "economy/risk-score?player_id=" + arg(args, 1)})
		if err != nil {
			return err
		}
		list, _ := member(s.last, "risk_factors")
		for _, f := range anyList(list) {
			if got, _ := member(f, "factor"); got != arg(args, 2) {
				continue
			}
			if score, _ := member(f, "score"); plain(score) == arg(args, 3) {
				return nil
			}
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s of %s is not %s: %v", arg(args, 2), arg(args, 1), arg(args, 3), s.last)
		}
	}
}

func anyList(v any) []any { l, _ := v.([]any); return l }

// borderline are texts that may be spam. The engine's view of each may change; the
// policy below lets it be anything from .3 to .8.
var borderline = []string{
	"cheap items dm me", "check my profile", "best prices in town", "cheap stuff msg me", "selling cheap dm", "look at my profile",
	"dm me for cheap items", "good prices dm", "check my page", "great prices come look",
}

// TestRiskTightensSpam drives a player to a high risk by logs alone; what another may
// say is then more for a reviewer when it says it, and only its spam.
func TestRiskTightensSpam(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "portcullis.yaml")
	const policy = "policy: {economy: {stricter: 4}, categories: {spam: {strictness: 1}}}\n"
	if err := os.WriteFile(config, []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
	p := serveProcess(t, nil, "--data", dir, "--config", config)
	game := newCaller(t, p, nil, dir)

	at := time.Now().Add(-time.Hour).UnixMilli()
	var coins, trades []string
	for i := range 3 { // each trade pays twice
		trades = append(trades, fmt.Sprintf(`{"log_id":"t%[1]d","timestamp":%[2]d,"trade_id":"t%[1]d","sender_id":"payer","receiver_id":"risky","currency":{"type":"gold","amount":500}}`, i, at+int64(i)*60_000))
		coins = append(coins, fmt.Sprintf(`{"log_id":"o%[1]d","timestamp":%[2]d,"trade_id":"t%[1]d","player_id":"payer","counterparty_id":"risky","currency_type":"gold","action":"transfer_out","amount":500,"balance_after":%[3]d}`, i, at+int64(i)*60_000, 9500-500*i))
		for j := range 2 {
			coins = append(coins, fmt.Sprintf(`{"log_id":"i%[1]d%[2]d","timestamp":%[3]d,"trade_id":"t%[1]d","player_id":"risky","counterparty_id":"payer","currency_type":"gold","action":"transfer_in","amount":500,"balance_after":%[4]d}`,
				i, j, at+int64(i)*60_000+int64(j)*100, 500*(2*i+j+1)))
		}
	}
	game.must(t, 200, "POST", "economy/trade-log", `{"app_id":"game","logs":[`+strings.Join(trades, ",")+`]}`)
	game.must(t, 200, "POST", "economy/currency-log", `{"app_id":"game","logs":[`+strings.Join(coins, ",")+`]}`)
	eventually(t, "a high risk", func() bool {
		r := game.must(t, 200, "GET", "economy/risk-score?player_id=risky", "")
		score, _ := r["risk_score"].(float64)
		return score >= 75
	})

	risky, other := enter(t, game, "risky"), enter(t, game, "other")
	says := func(from *player, id, text string) string {
		v, err := from.say(t.Context(), id, lobby, text)
		if err != nil {
			t.Fatal(err)
		}
		return v.str("suggestion")
	}
	stricter := 0
	for i, text := range borderline {
		id := fmt.Sprint("m", i)
		theirs, its := says(other, id, text), says(risky, id, text)
		if theirs == "pass" && its == "review" {
			stricter++
		}
		if theirs != "pass" && its == "pass" {
			t.Errorf("%q: %s for others, %s for the risky player", text, theirs, its)
		}
		time.Sleep(250 * time.Millisecond) // 5 messages a second
	}
	if stricter == 0 {
		t.Error("nothing was judged more strictly")
	}
	eventually(t, "a line in the log for each that says why it is stricter", func() bool { // the log is read behind the verdicts
		return strings.Count(p.log.String(), `"stricter":"economy_risk"`) >= stricter // some are reviewed for another reason too
	})
	if got := says(risky, "clean", "well played, see you tomorrow"); got != "pass" {
		t.Errorf("a clean message: %s", got)
	}
}

package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestThreshold(t *testing.T) {
	scores := make([]float64, 100)
	for i := range scores {
		scores[i] = float64(i)
	}
	if got := over(scores, .01); math.Abs(got-98) > 1e-6 {
		t.Errorf("over 1 %% of 0 to 99: %v, want just over 98", got)
	}
	if got := over([]float64{5, 5, 5, 5}, .5); got <= 5 {
		t.Errorf("ties: %v, want over 5", got)
	}
	if got := over(nil, .01); got != -1 {
		t.Errorf("of nothing: %v", got)
	}
	if got := area([]float64{2, 3}, []float64{1, 2}); got != .875 {
		t.Errorf("area %v, want .875", got)
	}
}

// writeStream writes a day of twelve honest players and of one whose balance rises
// in silence, every entry twice.
func writeStream(t *testing.T, dir string) {
	t.Helper()
	const start = int64(1767225600000)
	var stream, labels bytes.Buffer
	for p := range 13 {
		id, label := fmt.Sprintf("p%02d", p), 0
		if p == 12 {
			label = 1
		}
		fmt.Fprintf(&labels, `{"player_id":%q,"label":%d,"arch":"mint","role":"mint","kind":"casual","ring":"r","first_bad_ts":%d}`+"\n", id, label, start)
	}
	balance := [13]int64{}
	for i := range 300 {
		for p := range 13 {
			at := start + int64(i)*480_000 + int64(p)
			if p == 12 && i%50 == 49 {
				balance[p] += 50_000
			}
			balance[p] += int64(10 + (i*7+p)%13)
			for range 2 {
				fmt.Fprintf(&stream, `{"arrive":%d,"type":"currency","entry":{"log_id":"c%d","timestamp":%d,"player_id":"p%02d","currency_type":"gold","action":"earn","amount":%d,"balance_after":%d,"source":"quest"}}`+"\n",
					at, i, at, p, 10+(i*7+p)%13, balance[p])
			}
		}
	}
	fmt.Fprintf(&stream, `{"arrive":%d,"type":"probe","entry":{"at":1,"label":0,"arch":"legit","body":{"sender_id":"p01","receiver_id":"p02","items":[],"currency":{"type":"gold","amount":5}}}}`+"\n", start+150_000_000)
	fmt.Fprintf(&stream, `{"arrive":%d,"type":"ban","entry":{"player_id":"p12","ban_type":"temporary","duration_hours":5}}`+"\n", start+150_000_001)
	meta := fmt.Sprintf(`{"start_ms":%d,"end_ms":%d}`, start, start+2*86_400_000)
	for name, text := range map[string][]byte{"stream.jsonl": stream.Bytes(), "labels.jsonl": labels.Bytes(), "meta.json": []byte(meta)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEconomy(t *testing.T) {
	dir := t.TempDir()
	writeStream(t, dir)
	out, features := filepath.Join(dir, "out.json"), filepath.Join(dir, "features.jsonl")
	var stdout, stderr bytes.Buffer
	if err := Main(t.Context(), []string{"economy", "--data", dir, "--json", out, "--features", features, "--misses", "1"}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var reports []EconomyReport
	if err := json.Unmarshal(text, &reports); err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	if r.Entries != 13*300 || r.Bad != 1 || r.Legit != 12 {
		t.Errorf("%d entries, %d bad, %d legit", r.Entries, r.Bad, r.Legit)
	}
	if r.RecallOne != 1 || r.Never != 0 || r.Trades.Legit != 1 || r.Trades.Stopped != 0 {
		t.Errorf("recall %v, never %v, trades %+v", r.RecallOne, r.Never, r.Trades)
	}
	if !strings.Contains(stdout.String(), "mean") {
		t.Errorf("no table:\n%s", stdout.String())
	}
	if lines, err := os.ReadFile(features); err != nil || bytes.Count(lines, []byte("\n")) != 13 {
		t.Errorf("features: %v, %d lines", err, bytes.Count(lines, []byte("\n")))
	}
}

func TestEconomyOptions(t *testing.T) {
	for _, args := range [][]string{{"economy"}, {"economy", "--data", t.TempDir()}, {"economy", "--data", "x", "--checkpoint-hours", "0"}} {
		if err := Main(t.Context(), args, &bytes.Buffer{}, &bytes.Buffer{}); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
)

var testNow = time.UnixMilli(1790000000000)

func entry(id string, change ...string) string {
	e := `{"log_id":"` + id + `","timestamp":1790000000000,"player_id":"p","currency_type":"gold","action":"earn","amount":5,"balance_after":-7,"source":"quest"}`
	return strings.NewReplacer(change...).Replace(e)
}

func submission(partial bool, entries ...string) string {
	return fmt.Sprintf(`{"app_id":"app","partial":%v,"logs":[%s]}`, partial, strings.Join(entries, ","))
}

func TestReadLog(t *testing.T) {
	s, err := ReadLog(parse(t, submission(false, entry("L1", `"source":"quest"`, `"source":null`), entry("L2", ":5,", ":9223372036854775807,"))), "app", economy.Currency, 1000, testNow)
	want := LogSubmission{Entries: []economy.Entry{
		{Log: economy.Currency, ID: "L1", At: 1790000000000, Player: "p", What: "gold", Action: "earn", Amount: 5, After: -7},
		{Log: economy.Currency, ID: "L2", At: 1790000000000, Player: "p", What: "gold", Action: "earn", Amount: 1<<63 - 1, After: -7, Source: "quest"},
	}}
	if diff := cmp.Diff(want, s); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestLogFaults(t *testing.T) {
	tests := []struct {
		name, body string
		pointers   []string
	}{
		{"another app", strings.Replace(submission(false, entry("L")), `"app"`, `"other"`, 1), []string{"/app_id"}},
		{"no members", `{}`, []string{"/app_id", "/logs"}},
		{"logs is no array", `{"app_id":"app","logs":{}}`, []string{"/logs"}},
		{"an entry is no object", submission(false, entry("L"), "7"), []string{"/logs/1"}},
		{"an empty entry", submission(false, `{}`), []string{
			"/logs/0/log_id", "/logs/0/player_id", "/logs/0/currency_type", "/logs/0/action", "/logs/0/amount", "/logs/0/balance_after", "/logs/0/timestamp",
		}},
		{
			"faults of two entries", submission(false, entry("L", ":5,", `:"5",`), entry("M"), entry("N", "-7", "1.5")),
			[]string{"/logs/0/amount", "/logs/2/balance_after"},
		},
		{"an action that there is not", submission(false, entry("L", "earn", "steal")), []string{"/logs/0/action"}},
		{"an action of items", submission(false, entry("L", "earn", "acquire")), []string{"/logs/0/action"}},
		{"a control character in a name", submission(false, entry("L", "gold", "go\\u0000ld"), entry("M", "gold", "go\\u0085ld")), []string{"/logs/0/currency_type", "/logs/1/currency_type"}},
		{"a line feed in an id", submission(false, entry("L\\n")), []string{"/logs/0/log_id"}},
		{"money to oneself", submission(false, entry("L", "earn", "transfer_out", `"amount"`, `"counterparty_id":"p","amount"`)), []string{"/logs/0/counterparty_id"}},
		{"Infinity as text", submission(false, entry("L", ":5,", `:"Infinity",`)), []string{"/logs/0/amount"}},
		{"an exponent", submission(false, entry("L", ":5,", ":5e2,"), entry("M", ":5,", ":-3e14,")), []string{"/logs/0/amount", "/logs/1/amount"}},
		{"a negative account age", submission(false, entry("L", `"amount"`, `"account_created_at":-1,"amount"`)), []string{"/logs/0/account_created_at"}},
		{"a negative amount", submission(false, entry("L", ":5,", ":-5,")), []string{"/logs/0/amount"}},
		{"an amount over 64 bits", submission(false, entry("L", ":5,", ":9223372036854775808,")), []string{"/logs/0/amount"}},
		{"a fraction", submission(false, entry("L", ":5,", ":1.5,")), []string{"/logs/0/amount"}},
		{"1e400", submission(false, entry("L", ":5,", ":1e400,")), []string{"/logs/0/amount"}},
		{"seconds", submission(false, entry("L", "1790000000000", "1790000000")), []string{"/logs/0/timestamp"}},
		{"microseconds", submission(false, entry("L", "1790000000000", "1790000000000000")), []string{"/logs/0/timestamp"}},
		{"a time as text", submission(false, entry("L", "1790000000000", `"2026-09-21T14:13:20Z"`)), []string{"/logs/0/timestamp"}},
		{"six minutes ahead", submission(false, entry("L", "1790000000000", "1790000360000")), []string{"/logs/0/timestamp"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadLog(parse(t, test.body), "app", economy.Currency, 1000, testNow)
			wantFields(t, err, test.pointers...)
		})
	}
	if _, err := ReadLog(parse(t, submission(false, entry("L", "1790000000000", "1790000299000"))), "app", economy.Currency, 1000, testNow); err != nil {
		t.Errorf("a clock five minutes ahead: %v, want none", err)
	}
	_, err := ReadLog(parse(t, submission(true, entry("L"), entry("M"), entry("N"))), "app", economy.Currency, 2, testNow)
	if e := From(err); e.Code != TooLarge {
		t.Errorf("three of two: %v, want code %d", err, TooLarge)
	}
}

func TestLogPartial(t *testing.T) {
	s, err := ReadLog(parse(t, submission(true, entry("L"), entry("M", ":5,", ":-5,", `"p"`, `""`), "[]", entry("N"))), "app", economy.Currency, 1000, testNow)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Entries) != 2 || s.Entries[0].ID != "L" || s.Entries[1].ID != "N" {
		t.Errorf("entries = %+v, want L and N", s.Entries)
	}
	sameJSON(t, AppendSuccess(nil, "r", func(dst []byte) []byte { return AppendLogAnswer(dst, 2, 0, s.Rejected) }),
		[]byte(`{"code":0,"request_id":"r","accepted":2,"duplicates":0,"rejected":[
		{"index":1,"log_id":"M","errors":[{"pointer":"/logs/1/player_id","reason":"is required"},{"pointer":"/logs/1/amount","reason":"must be an integer, at least 0"}]},
		{"index":2,"log_id":"","errors":[{"pointer":"/logs/2","reason":"must be an object"}]}]}`))

	// What is wrong with the submission itself fails it whole.
	_, err = ReadLog(parse(t, strings.Replace(submission(true, entry("L")), `"app"`, `"x"`, 1)), "app", economy.Currency, 1000, testNow)
	wantFields(t, err, "/app_id")
	sameJSON(t, AppendSuccess(nil, "r", func(dst []byte) []byte { return AppendLogAnswer(dst, 98, 2, nil) }),
		[]byte(`{"code":0,"request_id":"r","accepted":98,"duplicates":2}`))
}

package wire

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What Parse refuses, with the pointer that it names. The json cases that were
// collected from the trackers of other parsers are among them.
func TestParseRefuses(t *testing.T) {
	tests := []struct{ name, body, pointer string }{
		{"nothing", "", ""},
		{"white space", " \n", ""},
		{"a byte order mark", "\xef\xbb\xbf{}", ""},
		{"no object", `[1]`, ""},
		{"a string", `"a"`, ""},
		{"null", `null`, ""},
		{"cut off", `{"a":1`, ""},
		{"a second document", `{"a":1}{"a":2}`, ""},
		{"a second document after a line feed", "{}\n{}", ""},
		{"a stray byte after it", `{} x`, ""},
		{"a name twice", `{"log_id":"L1","amount":1,"amount":-1}`, "/amount"},
		{"a name twice, one of them escaped", `{"user_id":"u2","\u0075ser_id":"u123"}`, "/user_id"},
		{"a name twice, deep inside", `{"a":[{"b":{"c":1,"c":2}}]}`, "/a/0/b/c"},
		{"a name twice in a member that nobody reads", `{"content":"x","other":{"k":1,"k":1}}`, "/other/k"},
		{"bytes that are no UTF-8", "{\"a\":\"\xff\"}", "/a"},
		{"an over-long form", "{\"text\":\"\xc0\xafshit\"}", "/text"},
		{"an encoded surrogate", "{\"a\":\"\xed\xa0\x80\"}", "/a"},
		{"a name that is no UTF-8", "{\"\xfe\":1}", ""},
		{"a high surrogate alone", `{"text":"a\ud800b"}`, "/text"},
		{"a low surrogate alone", `{"text":"\udc00"}`, "/text"},
		{"a high surrogate before another escape", `{"text":"\ud900\\ shit"}`, "/text"},
		{"surrogates the wrong way round", `{"text":"\udc00\ud800"}`, "/text"},
		{"a control character", "{\"a\":\"\x01\"}", "/a"},
		{"NaN", `{"amount":NaN}`, "/amount"},
		{"Infinity", `{"amount":-Infinity}`, "/amount"},
		{"a plus sign", `{"amount":+1}`, "/amount"},
		{"a leading zero", `{"amount":01}`, ""},
		{"hexadecimal", `{"amount":0x10}`, ""},
		{"a comment", `{/*x*/"a":1}`, ""},
		{"a trailing comma", `{"a":1,}`, ""},
		{"single quotes", `{'a':1}`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o, err := Parse([]byte(test.body))
			if o != nil {
				t.Errorf("Parse = %v, want nothing", o)
			}
			wantFields(t, err, test.pointer)
		})
	}
}

func TestParseDoesNotQuoteWhatItRefuses(t *testing.T) {
	for _, body := range []string{`{"a":sEcReT}`, `{"a":"sEcReT` + "\xff" + `"}`, `sEcReT`} {
		_, err := Parse([]byte(body))
		if err == nil || strings.Contains(string(From(err).AppendBody(nil, "r")), "sEcReT") {
			t.Errorf("Parse(%q) = %v, want a fault without the input", body, err)
		}
	}
}

func TestParseDepth(t *testing.T) {
	nested := func(open, end string, n int) string {
		return strings.Repeat(open, n) + "0" + strings.Repeat(end, n)
	}
	if _, err := Parse([]byte(nested(`{"a":`, "}", MaxDepth))); err != nil {
		t.Errorf("%d levels: %v, want none", MaxDepth, err)
	}
	if _, err := Parse([]byte(`{"a":` + nested("[", "]", MaxDepth-1) + `}`)); err != nil {
		t.Errorf("%d levels of arrays: %v, want none", MaxDepth, err)
	}
	if _, err := Parse([]byte(`{"a":"` + strings.Repeat("[{", 100) + `\"[["}`)); err != nil {
		t.Errorf("brackets in a string: %v, want none", err)
	}
	wantFields(t, second(Parse([]byte(nested(`{"a":`, "}", MaxDepth+1)))), "")
	wantFields(t, second(Parse([]byte(`{"a":`+nested("[", "]", MaxDepth)+`}`))), "")

	deep := []byte(nested(`{"a":`, "}", 100000))
	wantFields(t, second(Parse(deep)), "")
	if n := testing.AllocsPerRun(5, func() { _, _ = Parse(deep) }); n > 20 {
		t.Errorf("100,000 levels cost %v allocations, want a handful", n)
	}
}

func second(_ *Object, err error) error { return err }

// Whatever is no JSON integer of 64 bits in its range is a fault, never another number.
func TestInt(t *testing.T) {
	tests := []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"-1", -1, true},
		{"9223372036854775807", math.MaxInt64, true},
		{"-9223372036854775808", math.MinInt64, true},
		{"9007199254740993", 9007199254740993, true}, // a float64 does not hold it
		{"9223372036854775808", 0, false},
		{"-9223372036854775809", 0, false},
		{"123456789012345678901234567890", 0, false},
		{"1.5", 0, false},
		{"3.0", 0, false},
		{"3e0", 0, false},
		{"1e400", 0, false},
		{`"3"`, 0, false},
		{"true", 0, false},
		{"[3]", 0, false},
	}
	for _, test := range tests {
		o := parse(t, `{"n":`+test.text+`}`)
		n, ok := o.Int("n", math.MinInt64, math.MaxInt64)
		if n != test.want || ok != test.ok {
			t.Errorf("Int(%s) = %d, %v; want %d, %v", test.text, n, ok, test.want, test.ok)
		}
		if err := o.Err(); (err == nil) != test.ok {
			t.Errorf("Int(%s): Err = %v", test.text, err)
		}
	}
	o := parse(t, `{"n":6}`)
	if n, ok := o.Int("n", 1, 5); ok || n != 0 {
		t.Errorf("Int out of range = %d, %v; want 0, false", n, ok)
	}
	wantFields(t, o.Err(), "/n")
}

// A member that is null counts as one that is not there, for every kind.
func TestNullIsAbsent(t *testing.T) {
	o := parse(t, `{"s":null,"n":null,"b":null,"o":null,"a":null,"id":null}`)
	if s, ok := o.Text("s"); s != "" || ok {
		t.Errorf("Text = %q, %v", s, ok)
	}
	if n, ok := o.Int("n", 1, 5); n != 0 || ok {
		t.Errorf("Int = %d, %v", n, ok)
	}
	if o.Bool("b") || o.Object("o") != nil || o.IDs("a", 3) != nil || o.ID("id", false) != "" || o.Has("s") {
		t.Error("null is there")
	}
	if err := o.Each("a", 3, func(int, *Object) { t.Error("an entry of null") }); err != nil {
		t.Errorf("Each: %v", err)
	}
	if err := o.Err(); err != nil {
		t.Errorf("Err = %v, want none", err)
	}
	if got := o.Require("s"); got != "" {
		t.Errorf("Require = %q", got)
	}
	wantFields(t, o.Err(), "/s")
}

// Every fault comes at once, each at its own pointer (RFC 6901 escapes included).
func TestFaultsAllAtOnce(t *testing.T) {
	o := parse(t, `{"a/b":1,"m~n":2,"o":{"x/y":3},"list":[{"k":"v"},{"k":5},7],"ids":["ok","",4]}`)
	o.Text("a/b")
	o.Text("m~n")
	o.Object("o").Text("x/y")
	if err := o.Each("list", 3, func(_ int, e *Object) { e.Text("k") }); err != nil {
		t.Fatal(err)
	}
	o.IDs("ids", 3)
	o.Bool("a/b")
	o.Object("m~n")
	wantFields(t, o.Err(), "/a~1b", "/m~0n", "/o/x~1y", "/list/1/k", "/list/2", "/ids/1", "/ids/2", "/a~1b", "/m~0n")
}

func TestEachBound(t *testing.T) {
	o := parse(t, `{"list":[{},{},{}]}`)
	n := 0
	if err := o.Each("list", 3, func(int, *Object) { n++ }); err != nil || n != 3 {
		t.Errorf("three of three: %v after %d", err, n)
	}
	err := o.Each("list", 2, func(int, *Object) { t.Error("called though the list is too long") })
	if e := From(err); e.Code != TooLarge {
		t.Errorf("three of two: %v, want code %d", err, TooLarge)
	}
	o.IDs("list", 2)
	wantFields(t, o.Err(), "/list")
}

func TestID(t *testing.T) {
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"one byte", "a", true},
		{"128 bytes", strings.Repeat("x", 128), true},
		{"other scripts", "プレイヤー-１", true},
		{"an emoji", "👾", true},
		{"128 bytes in 32 emoji", strings.Repeat("👾", 32), true},
		{"129 bytes", strings.Repeat("x", 129), false},
		{"fewer than 128 code points, more bytes", strings.Repeat("é", 65), false},
		{"empty", "", false},
		{"a line feed", "a\nb", false},
		{"NUL", "a\x00", false},
		{"DEL", "a\x7f", false},
		{"a C1 control", "a\u0085b", false},
		{"no UTF-8", "a\xff", false},
	}
	for _, test := range tests {
		if got := ValidID(test.text); got != test.ok {
			t.Errorf("%s: ValidID(%q) = %v, want %v", test.name, test.text, got, test.ok)
		}
	}
	o := parse(t, `{"long":"`+strings.Repeat("x", 129)+`","number":7,"control":"a\u0000","empty":""}`)
	for _, name := range []string{"long", "number", "control", "missing", "empty"} {
		if id := o.ID(name, true); id != "" {
			t.Errorf("ID(%s) = %q, want none", name, id)
		}
	}
	if id := o.ID("empty", false); id != "" {
		t.Errorf("ID(empty, optional) = %q", id)
	}
	wantFields(t, o.Err(), "/long", "/number", "/control", "/missing", "/empty")
}

// What an Object gives out must not change when its input is used again.
func TestStringsAreCopies(t *testing.T) {
	data := []byte(`{"plain":"abc","escaped":"a\u0062c","in":{"x":"y"}}`)
	o, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := o.Text("plain")
	escaped, _ := o.Text("escaped")
	x, _ := o.Object("in").Text("x")
	clear(data)
	if diff := cmp.Diff([]string{"abc", "abc", "y"}, []string{plain, escaped, x}); diff != "" {
		t.Errorf("strings changed with the input:\n%s", diff)
	}
}

// What people write of why they did something counts in characters: 128 of Japanese are
// as good as 128 of English. What divides lines or steers a terminal is refused.
func TestLabel(t *testing.T) {
	tests := []struct{ name, body, want, pointer string }{
		{"absent", `{}`, "", ""},
		{"128 of English", `{"reason":"` + strings.Repeat("a", 128) + `"}`, strings.Repeat("a", 128), ""},
		{"128 of Japanese", `{"reason":"` + strings.Repeat("詐", 128) + `"}`, strings.Repeat("詐", 128), ""},
		{"128 beyond the first plane", `{"reason":"` + strings.Repeat("😀", 128) + `"}`, strings.Repeat("😀", 128), ""},
		{"129", `{"reason":"` + strings.Repeat("詐", 129) + `"}`, "", "/reason"},
		{"two lines", `{"reason":"a\nb"}`, "", "/reason"},
		{"a C1 control", `{"reason":"a\u009bb"}`, "", "/reason"},
		{"no string", `{"reason":1}`, "", "/reason"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o, err := Parse([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			if got := o.Label("reason", false); got != test.want {
				t.Errorf("Label = %q, want %q", got, test.want)
			}
			if test.pointer == "" {
				if o.Err() != nil {
					t.Errorf("Err = %v, want none", o.Err())
				}
				return
			}
			wantFields(t, o.Err(), test.pointer)
		})
	}
	o, err := Parse([]byte(`{"reason":""}`))
	if err != nil {
		t.Fatal(err)
	}
	o.Label("reason", true)
	wantFields(t, o.Err(), "/reason")
}

// A reason of 128 characters is taken wherever the API promises as many.
func TestReasonsInAnyLanguage(t *testing.T) {
	long := strings.Repeat("詐", 128)
	whom := `{"player_id":"p","hours":1,"score":3,"trust":"watched","ban_type":"permanent"`
	for name, test := range map[string]struct {
		begin string
		read  func(*Object) (string, error)
	}{
		"ban":      {whom, func(o *Object) (string, error) { b, err := ReadBan(o, "game"); return b.Reason, err }},
		"lift":     {whom, func(o *Object) (string, error) { l, err := ReadLift(o, "game"); return l.Reason, err }},
		"override": {whom, func(o *Object) (string, error) { r, err := ReadOverride(o, "game"); return r.Reason, err }},
		"penalty":  {`{"kind":"ban"`, func(o *Object) (string, error) { p := ReadPenalty(o); return p.Reason, o.Err() }},
		"snooze":   {whom, func(o *Object) (string, error) { s, err := ReadSnooze(o); return s.Reason, err }},
		"trust":    {whom, func(o *Object) (string, error) { p, err := ReadTrust(o, time.Now()); return p.Reason, err }},
	} {
		o, err := Parse([]byte(test.begin + `,"reason":"` + long + `"}`))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := test.read(o); got != long || err != nil {
			t.Errorf("%s: %q, %v, want the reason", name, got, err)
		}
	}
}

package text

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/portcullis-gg/portcullis/engines"
)

func sug(s []engines.Signal) string {
	r := "pass"
	for _, x := range s {
		if x.Category.HighRisk() && x.Confidence >= .85 {
			return "block"
		}
		if x.Confidence >= .55 {
			r = "review"
		}
	}
	return r
}
func TestZZ(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if p := os.Getenv("ZZ"); p != "" {
		f, _ := os.Open(p)
		sc := bufio.NewScanner(f)
		for sc.Scan() {
			s, _ := e.Inspect(context.Background(), &engines.Item{Kind: "text", Text: sc.Text()}, nil)
			fmt.Println(sug(s), sc.Text())
			for _, x := range s {
				fmt.Printf("    %s/%s %.2f %v %s\n", x.Category, x.SubLabel, x.Confidence, x.Span, x.Rule)
			}
		}
	}
	f, _ := os.Open("/work/shared/cases/cases.jsonl")
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	cat := map[string]string{"profanity": "harassment", "abuse": "harassment", "self_harm": "illegal", "ad": "spam", "pii": "privacy", "custom": "harassment"}
	good := 0
	for sc.Scan() {
		var c struct {
			ID, Area, Kind string
			Input          struct {
				Text, Lang string
				Policy     map[string]any
			}
			Expect struct {
				Suggestion []string
				Category   string
				Positions  [][2]int
			}
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			continue
		}
		if c.Kind != "text" || c.Input.Text == "" {
			continue
		}
		en := e
		if d, ok := c.Input.Policy["deny"]; ok {
			var b strings.Builder
			fmt.Fprintf(&b, "language: %q\nentries:\n", c.Input.Lang+"x")
			j, _ := json.Marshal(d)
			m := ""
			if x, ok := c.Input.Policy["match"].(string); ok {
				m = ", match: " + x
			}
			fmt.Fprintf(&b, "  - {terms: %s, category: harassment, severity: 3%s}\n", j, m)
			if a, ok := c.Input.Policy["allow"]; ok {
				j, _ := json.Marshal(a)
				fmt.Fprintf(&b, "allow: %s\n", j)
			}
			en, err = New(Config{Lexicons: fstest.MapFS{"c.yaml": {Data: []byte(b.String())}}})
			if err != nil {
				fmt.Println(c.ID, err)
				continue
			}
		}
		s, _ := en.Inspect(context.Background(), &engines.Item{Kind: "text", Text: c.Input.Text, Language: c.Input.Lang}, nil)
		bad := ""
		g := sug(s)
		if len(c.Expect.Suggestion) > 0 && !strings.Contains(strings.Join(c.Expect.Suggestion, ","), g) {
			bad = "suggestion " + g
		}
		if c.Expect.Category != "" {
			ok := false
			for _, x := range s {
				ok = ok || string(x.Category) == cat[c.Expect.Category]
			}
			if !ok {
				bad += " category"
			}
		}
		exact := c.Area == "text-pos" || c.Area == "text-fold" || c.Area == "text-list"
		for _, p := range c.Expect.Positions {
			ok := false
			for _, x := range s {
				ok = ok || x.Span.Start == p[0] && x.Span.End == p[1] || !exact && x.Span.Start < p[1] && p[0] < x.Span.End
			}
			if !ok {
				bad += fmt.Sprint(" pos ", p)
			}
		}
		if bad != "" {
			fmt.Println("SHORT", c.ID, c.Input.Text, c.Input.Policy, bad)
			for _, x := range s {
				fmt.Printf("    %+v\n", x)
			}
		} else {
			good++
		}
	}
	fmt.Println("good", good)
}

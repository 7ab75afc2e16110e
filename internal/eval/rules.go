package eval

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// RuleCount says on how many rows a rule or an entry fired. The steps of
// normalising that a hit needed (after the +) do not make it another rule.
type RuleCount struct {
	Rule     string           `json:"rule"`
	Category engines.Category `json:"category"`
	// Confidence is the highest that it had.
	Confidence float64 `json:"confidence"`
	// Clean and Toxic are rows on which it was strong enough to flag; CleanAlone
	// and ToxicAlone are those on which nothing else was.
	Clean      int `json:"clean"`
	CleanAlone int `json:"clean_alone"`
	Toxic      int `json:"toxic"`
	ToxicAlone int `json:"toxic_alone"`
	// Weak are rows on which it fired without being strong enough.
	Weak int `json:"weak"`
	// Langs are the clean rows by language.
	Langs map[string]int `json:"clean_languages"`
}

// fired is a rule on one row.
type fired struct {
	rule   string
	signal *engines.Signal
	flags  bool
}

// countRules counts what fired on one row.
func (w *worker) countRules(item *engines.Item, row *Row) {
	w.seen = w.seen[:0]
	strong := 0
	for i := range w.signals {
		s := &w.signals[i]
		rule, _ := SplitRule(s.Rule)
		v := w.decide(item, w.signals[i:i+1])
		flags := v.Suggestion != engines.Pass
		at := slices.IndexFunc(w.seen, func(f fired) bool { return f.rule == rule })
		if at < 0 {
			at = len(w.seen)
			w.seen = append(w.seen, fired{rule: rule, signal: s})
		}
		have := &w.seen[at]
		if s.Confidence > have.signal.Confidence {
			have.signal = s
		}
		if flags && !have.flags {
			have.flags = true
			strong++
		}
	}
	for _, f := range w.seen {
		c := w.rules[f.rule]
		if c == nil {
			c = &RuleCount{Rule: f.rule, Category: f.signal.Category, Langs: make(map[string]int)}
			w.rules[f.rule] = c
		}
		c.add(f, row, strong == 1)
	}
}

func (c *RuleCount) add(f fired, row *Row, alone bool) {
	c.Confidence = max(c.Confidence, f.signal.Confidence)
	switch {
	case !f.flags:
		c.Weak++
	case row.toxic():
		c.Toxic++
		if alone {
			c.ToxicAlone++
		}
	default:
		c.Clean++
		c.Langs[row.Lang]++
		if alone {
			c.CleanAlone++
		}
	}
}

func mergeRules(into, more map[string]*RuleCount) {
	for rule, m := range more {
		c := into[rule]
		if c == nil {
			into[rule] = m
			continue
		}
		c.Confidence = max(c.Confidence, m.Confidence)
		c.Clean += m.Clean
		c.CleanAlone += m.CleanAlone
		c.Toxic += m.Toxic
		c.ToxicAlone += m.ToxicAlone
		c.Weak += m.Weak
		for lang, n := range m.Langs {
			c.Langs[lang] += n
		}
	}
}

// worstRules are the n rules that flag most clean rows, those that do it alone first.
func worstRules(rules map[string]*RuleCount, n int) []*RuleCount {
	all := slices.Collect(maps.Values(rules))
	all = slices.DeleteFunc(all, func(c *RuleCount) bool { return c.Clean == 0 })
	slices.SortFunc(all, func(a, b *RuleCount) int {
		return cmp.Or(cmp.Compare(b.CleanAlone, a.CleanAlone), cmp.Compare(b.Clean, a.Clean), cmp.Compare(a.Rule, b.Rule))
	})
	return all[:min(n, len(all))]
}

func printRules(b *strings.Builder, rules []*RuleCount) {
	b.WriteString("\nrules that flag clean rows; alone: nothing else flagged the row; right: share of its rows that are toxic\n")
	g := grid{left: 7}
	g.row("clean alone", "clean", "toxic alone", "toxic", "weak", "right %", "conf", "category", "rule", "languages of the clean rows")
	for _, c := range rules {
		g.row(strconv.Itoa(c.CleanAlone), strconv.Itoa(c.Clean), strconv.Itoa(c.ToxicAlone), strconv.Itoa(c.Toxic), strconv.Itoa(c.Weak),
			percent(ratio(c.Toxic, c.Toxic+c.Clean)), fmt.Sprintf("%.2f", c.Confidence), string(c.Category), c.Rule, topLangs(c.Langs))
	}
	g.write(b)
}

func topLangs(langs map[string]int) string {
	names := slices.Collect(maps.Keys(langs))
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(langs[b], langs[a]), cmp.Compare(a, b)) })
	var parts []string
	for i, name := range names {
		if i == 4 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%s:%d", name, langs[name]))
	}
	return strings.Join(parts, " ")
}

// SplitRule parts Signal.Rule into the name of the entry and the normalising steps
// that its hit needed.
func SplitRule(rule string) (name string, steps []string) {
	if !strings.Contains(rule, "+") {
		return rule, nil
	}
	parts := strings.Split(rule, "+")
	n := len(parts)
	for n > 1 && isStep(parts[n-1]) {
		n--
	}
	return strings.Join(parts[:n], "+"), parts[n:]
}

// isStep tells steps from a + of the entry itself, such as 18+.
func isStep(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-") == ""
}

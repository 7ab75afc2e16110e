package eval

import (
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// cleanSources are sets of everyday text in which next to nothing may be flagged.
var cleanSources = []string{
	"ubuntu-irc", "songys-chatbot", "tatoeba-laser", "tanaka-enja", "dota-items", "rustrict-fp", "dr5hn-places",
	"surnames", "synth-clean-game", "wisesight",
}

// allClean is the group of all clean sets.
const allClean = "all clean sets"

// kinds are the values of Row.Sub that make a group over all sources.
var kinds = []string{
	"chat", "names", "scunthorpe", "sentences", "game-labelled-clean", "explicit", "clean", "labelled-clean", "synthetic",
}

// groupsOf calls add with the name of every group that the row counts in.
func groupsOf(r *Row, add func(section, name string)) {
	add("overall", "overall")
	add("lang", r.Lang)
	add("source", r.Source)
	switch {
	case strings.HasPrefix(r.Source, "evasion"):
		sub := r.Sub
		if sub == "" {
			sub = "?"
		}
		add("evasion", sub)
	case r.Sub != "" && bool(r.Group):
		add("group", r.Source+" "+r.Sub)
	case slices.Contains(kinds, r.Sub):
		add("kind", r.Sub)
	}
	if !r.toxic() && slices.Contains(cleanSources, r.Source) {
		add("clean", allClean)
		add("clean", r.Source)
	}
}

// sections are the parts of a report, in its order.
var sections = []string{"overall", "lang", "source", "evasion", "group", "kind", "clean", "label"}

// tally puts the results into groups. minConf is the confidence from which a
// category counts as predicted.
func tally(rows []Row, results []Result, positive engines.Suggestion, minConf float64) map[string]map[string]*Counts {
	out := make(map[string]map[string]*Counts)
	for _, s := range sections {
		out[s] = make(map[string]*Counts)
	}
	at := func(section, name string) *Counts {
		c := out[section][name]
		if c == nil {
			c = &Counts{}
			out[section][name] = c
		}
		return c
	}
	labels := make(map[string]bool)
	for i := range rows {
		for _, l := range rows[i].Labels {
			labels[l] = true
		}
	}
	for i := range rows {
		r, res := &rows[i], &results[i]
		blocked := res.Suggestion == engines.Block
		flagged := res.Suggestion.Rank() >= positive.Rank()
		groupsOf(r, func(section, name string) { at(section, name).add(r.toxic(), flagged, blocked) })
		for c, category := range engines.TextCategories {
			if name := string(category); labels[name] {
				at("label", name).add(slices.Contains(r.Labels, name), res.Labels[c] > 0 && res.Labels[c] >= minConf, false)
			}
		}
	}
	return out
}

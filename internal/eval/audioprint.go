package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

func (r *AudioReport) print(w io.Writer) error {
	var b strings.Builder
	heard := "with voice activity"
	if !r.VAD {
		heard = "without a model of voice activity"
	}
	fmt.Fprintf(&b, "generated sounds; who speaks: %s; %s\n\n", r.Voices, heard)
	fmt.Fprintf(&b, "%-12s %6s %6s %7s   %s\n", "kind", "cases", "found", "recall", "also found")
	for _, k := range r.Kinds {
		fmt.Fprintf(&b, "%-12s %6d %6d %7.3f   %s", k.Kind, k.Cases, k.Found, float64(k.Found)/float64(k.Cases), counts(k.Also))
		if len(k.Missed) > 0 {
			fmt.Fprintf(&b, "; missed: %s", counts(k.Missed))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\nspeech alone: %d of %d stretches of 10 s flagged, %.2f %%   %s\n", r.Flagged, r.Spoken, 100*float64(r.Flagged)/float64(r.Spoken), counts(r.By))
	said := "not met"
	if r.Goals {
		said = "met"
	}
	fmt.Fprintf(&b, "goals (recall %.2f of each kind, at most %.0f %% of speech flagged): %s\n", audioRecall, 100*audioFalse, said)
	if t := r.Told; t != nil {
		fmt.Fprintf(&b, "%d voices, %d stretches each: equal error rate %.1f %% at a cosine of %.3f; of two voices %.1f %% taken for one, of one %.1f %% for two\n", t.Voices, t.Stretches, 100*t.EER, t.At, 100*t.Taken, 100*t.Missed)
		fmt.Fprintf(&b, "a voice that is remembered is known again in %.0f %% of its stretches where 1 of 100 others is taken for it, in %.0f %% where 1 of 1000 is\n", 100*t.Known[0], 100*t.Known[1])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// counts lists what was counted, in order.
func counts(of map[string]int) string {
	parts := make([]string, 0, len(of))
	for _, k := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, of[k]))
	}
	return strings.Join(parts, ", ")
}

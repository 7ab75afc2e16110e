package audio

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
)

// acoustic is an anomaly as a signal: mild, since what to do about noise is for policy.
func acoustic(a *engines.Anomaly) engines.Signal {
	return engines.Signal{
		Category: engines.Acoustic, SubLabel: a.Kind, Severity: 1, Confidence: min(1, max(0, a.Confidence)), Source: engines.SourceAcoustic,
		Rule:  fmt.Sprintf("acoustic:%s %s %.3g past %.3g", a.Kind, a.Measure, a.Value, a.Threshold),
		Place: &engines.Place{AtMS: a.FromMS, EndMS: a.ToMS},
	}
}

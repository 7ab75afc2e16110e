package engines

import "fmt"

// AcousticLimit is one threshold or definition time of what is heard without words
// (Category Acoustic): which values it may have.
type AcousticLimit struct {
	// Kind is the kind of Anomaly, Key the limit's name with its unit: lufs, dbfs, db, ms.
	Kind, Key   string
	Least, Most float64
	// Whole is set where only whole numbers have a meaning.
	Whole bool
}

// AcousticLimits lists all of them. What each means, and where it starts, is written at
// engines/audio/acoustic.Config.
var AcousticLimits = []AcousticLimit{
	level("loud", "momentary_lufs"),
	lasts("loud", "momentary_ms"),
	level("loud", "short_term_lufs"),
	lasts("loud", "short_term_ms"),
	share("clipping", "share"),
	lasts("clipping", "ms"),
	level("noise", "level_dbfs"),
	share("noise", "flatness"),
	lasts("noise", "ms"),
	level("hum", "level_dbfs"),
	{"hum", "prominence_db", 3, 60, false},
	lasts("hum", "ms"),
	share("tone", "share"),
	share("tone", "steady_share"),
	level("tone", "level_dbfs"),
	lasts("tone", "ms"),
	share("music", "share"),
	share("music", "share_without_vad"),
	level("music", "level_dbfs"),
	lasts("music", "ms"),
	{"soundboard", "repeats", 2, 20, true},
	{"soundboard", "within_ms", 1000, 30_000, true},
	share("soundboard", "differ"),
	level("scream", "momentary_lufs"),
	share("scream", "bright"),
	share("scream", "low"),
	lasts("scream", "ms"),
	share("echo", "differ"),
	{"echo", "max_delay_ms", 20, 1000, true},
	level("open_mic", "level_dbfs"),
	lasts("open_mic", "ms"),
}

func level(kind, key string) AcousticLimit { return AcousticLimit{kind, key, -90, 0, false} }
func share(kind, key string) AcousticLimit { return AcousticLimit{kind, key, 0.001, 1, false} }

// An hour is the longest: a call is asked about what is heard now.
func lasts(kind, key string) AcousticLimit { return AcousticLimit{kind, key, 20, 3_600_000, true} }

// Fault says what is wrong with a value, "" for nothing.
func (l *AcousticLimit) Fault(v float64) string {
	switch {
	case !(v >= l.Least && v <= l.Most): // written so that NaN is wrong
		return fmt.Sprintf("%v must be %v to %v", v, l.Least, l.Most)
	case l.Whole && v != float64(int64(v)):
		return fmt.Sprintf("%v must be a whole number", v)
	}
	return ""
}

// AcousticOver is what a policy says of some limits, by kind and key, over what the
// gateway's configuration has. It never changes once it is made: equal pointers say the
// same.
type AcousticOver map[string]map[string]float64

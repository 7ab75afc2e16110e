package acoustic

import (
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
)

// Config has the thresholds, and how long each must be passed before it counts.
type Config struct {
	Loud       Loud       `yaml:"loud"`
	Clipping   Clipping   `yaml:"clipping"`
	Noise      Noise      `yaml:"noise"`
	Hum        Hum        `yaml:"hum"`
	Tone       Tone       `yaml:"tone"`
	Music      Music      `yaml:"music"`
	Soundboard Soundboard `yaml:"soundboard"`
	Scream     Scream     `yaml:"scream"`
	Echo       Echo       `yaml:"echo"`
	OpenMic    OpenMic    `yaml:"open_mic"`
}

// Loud is by the loudness of ITU-R BS.1770, LUFS: momentary (400 ms) or short-term (3 s).
type Loud struct {
	Momentary   float64 `yaml:"momentary_lufs"`
	MomentaryMS int64   `yaml:"momentary_ms"`
	ShortTerm   float64 `yaml:"short_term_lufs"`
	ShortTermMS int64   `yaml:"short_term_ms"`
}

// Clipping is by the share of samples that are cut off, within one second.
type Clipping struct {
	Share float64 `yaml:"share"`
	MS    int64   `yaml:"ms"`
}

// Noise is by what lies below whatever else is heard: its level in dBFS, and how much
// its spectrum is that of noise (0 to 0.56).
type Noise struct {
	Level    float64 `yaml:"level_dbfs"`
	Flatness float64 `yaml:"flatness"`
	MS       int64   `yaml:"ms"`
}

// Hum is by the level of mains (50 or 60 Hz) and its harmonics, and by how far they
// stand out of what lies between.
type Hum struct {
	Level      float64 `yaml:"level_dbfs"`
	Prominence float64 `yaml:"prominence_db"`
	MS         int64   `yaml:"ms"`
}

// Tone is by the share of the energy that one steady line has. SteadyShare is for one
// below other sound, which must last twice as long.
type Tone struct {
	Share       float64 `yaml:"share"`
	SteadyShare float64 `yaml:"steady_share"`
	Level       float64 `yaml:"level_dbfs"`
	MS          int64   `yaml:"ms"`
}

// Music is by the share of time in which notes are held, without a pause and without
// speech. Unheard is the share where no voice activity detector was heard.
type Music struct {
	Share   float64 `yaml:"share"`
	Unheard float64 `yaml:"share_without_vad"`
	Level   float64 `yaml:"level_dbfs"`
	MS      int64   `yaml:"ms"`
}

// Soundboard is by how often the same short sound comes within a time, and by how many
// of the bits of its fingerprint may differ; once two are all but alike, others may by more.
type Soundboard struct {
	Repeats int64   `yaml:"repeats"`
	Within  int64   `yaml:"within_ms"` // 30000 at most
	Differ  float64 `yaml:"differ"`
}

// Scream is by momentary loudness, and by the share of the energy between 1 and 5 kHz that
// it must have, or below 400 Hz that it may have; either will do.
type Scream struct {
	Momentary float64 `yaml:"momentary_lufs"`
	Bright    float64 `yaml:"bright"`
	Low       float64 `yaml:"low"`
	MS        int64   `yaml:"ms"`
}

// Echo is by how many of the bits of another's fingerprint may differ, at a delay.
type Echo struct {
	Differ   float64 `yaml:"differ"`
	MaxDelay int64   `yaml:"max_delay_ms"` // 1000 at most
}

// OpenMic is by how long there is sound of at least a level and no speech.
type OpenMic struct {
	Level float64 `yaml:"level_dbfs"`
	MS    int64   `yaml:"ms"`
}

// Defaults were found on generated sounds with seeds of their own (internal/sounds), not
// on those of the published figures.
func Defaults() Config {
	return Config{
		Loud:       Loud{Momentary: -10, MomentaryMS: 1000, ShortTerm: -14, ShortTermMS: 3000},
		Clipping:   Clipping{Share: 0.01, MS: 1000},
		Noise:      Noise{Level: -40, Flatness: 0.4, MS: 3000},
		Hum:        Hum{Level: -50, Prominence: 12, MS: 2000},
		Tone:       Tone{Share: 0.5, SteadyShare: 0.1, Level: -45, MS: 1000},
		Music:      Music{Share: 0.5, Unheard: 0.75, Level: -45, MS: 5000},
		Soundboard: Soundboard{Repeats: 3, Within: 30_000, Differ: 0.12},
		Scream:     Scream{Momentary: -18, Bright: 0.45, Low: 0.03, MS: 600},
		Echo:       Echo{Differ: 0.3, MaxDelay: 800},
		OpenMic:    OpenMic{Level: -55, MS: 30_000},
	}
}

// limits calls f with every threshold and time, by the names of engines.AcousticLimits.
// One of the two pointers is nil.
func (c *Config) limits(f func(kind, key string, part *float64, whole *int64)) {
	r := func(kind, key string, v *float64) { f(kind, key, v, nil) }
	w := func(kind, key string, v *int64) { f(kind, key, nil, v) }
	r("loud", "momentary_lufs", &c.Loud.Momentary)
	w("loud", "momentary_ms", &c.Loud.MomentaryMS)
	r("loud", "short_term_lufs", &c.Loud.ShortTerm)
	w("loud", "short_term_ms", &c.Loud.ShortTermMS)
	r("clipping", "share", &c.Clipping.Share)
	w("clipping", "ms", &c.Clipping.MS)
	r("noise", "level_dbfs", &c.Noise.Level)
	r("noise", "flatness", &c.Noise.Flatness)
	w("noise", "ms", &c.Noise.MS)
	r("hum", "level_dbfs", &c.Hum.Level)
	r("hum", "prominence_db", &c.Hum.Prominence)
	w("hum", "ms", &c.Hum.MS)
	r("tone", "share", &c.Tone.Share)
	r("tone", "steady_share", &c.Tone.SteadyShare)
	r("tone", "level_dbfs", &c.Tone.Level)
	w("tone", "ms", &c.Tone.MS)
	r("music", "share", &c.Music.Share)
	r("music", "share_without_vad", &c.Music.Unheard)
	r("music", "level_dbfs", &c.Music.Level)
	w("music", "ms", &c.Music.MS)
	w("soundboard", "repeats", &c.Soundboard.Repeats)
	w("soundboard", "within_ms", &c.Soundboard.Within)
	r("soundboard", "differ", &c.Soundboard.Differ)
	r("scream", "momentary_lufs", &c.Scream.Momentary)
	r("scream", "bright", &c.Scream.Bright)
	r("scream", "low", &c.Scream.Low)
	w("scream", "ms", &c.Scream.MS)
	r("echo", "differ", &c.Echo.Differ)
	w("echo", "max_delay_ms", &c.Echo.MaxDelay)
	r("open_mic", "level_dbfs", &c.OpenMic.Level)
	w("open_mic", "ms", &c.OpenMic.MS)
}

// Validate returns every problem, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	c.limits(func(kind, key string, v *float64, whole *int64) {
		var value float64
		if v != nil {
			value = *v
		} else {
			value = float64(*whole)
		}
		for i := range engines.AcousticLimits {
			if l := &engines.AcousticLimits[i]; l.Kind == kind && l.Key == key {
				if why := l.Fault(value); why != "" {
					errs = append(errs, fmt.Errorf("%s.%s: %s", kind, key, why))
				}
			}
		}
	})
	return errors.Join(errs...)
}

// With is the configuration with what a policy says over it, which must be valid.
func (c Config) With(over *engines.AcousticOver) Config {
	if over == nil {
		return c
	}
	c.limits(func(kind, key string, v *float64, whole *int64) {
		switch says, ok := (*over)[kind][key]; {
		case !ok:
		case v != nil:
			*v = says
		default:
			*whole = int64(says)
		}
	})
	return c
}

// Set has the meter go on by another configuration, which must be valid. A stretch that
// goes on is judged by it from now on; one that was told keeps the threshold that it was
// told with.
func (m *Meter) Set(cfg Config) {
	m.cfg = cfg
	fresh := watchTable(&m.cfg)
	for i := range m.watches {
		if w := &m.watches[i]; !w.told {
			w.threshold, w.span = fresh[i].threshold, fresh[i].span
		}
	}
}

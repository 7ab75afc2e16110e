package acoustic

import (
	"errors"
	"fmt"
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
// of the bits of its fingerprint may differ.
type Soundboard struct {
	Repeats int     `yaml:"repeats"`
	Within  int64   `yaml:"within_ms"` // 30000 at most
	Differ  float64 `yaml:"differ"`
}

// Scream is by momentary loudness and the share of the energy between 1 and 5 kHz.
type Scream struct {
	Momentary float64 `yaml:"momentary_lufs"`
	Bright    float64 `yaml:"bright"`
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
		Clipping:   Clipping{Share: 0.01},
		Noise:      Noise{Level: -40, Flatness: 0.4, MS: 2000},
		Hum:        Hum{Level: -50, Prominence: 12, MS: 2000},
		Tone:       Tone{Share: 0.5, SteadyShare: 0.1, Level: -45, MS: 1000},
		Music:      Music{Share: 0.5, Unheard: 0.75, Level: -45, MS: 5000},
		Soundboard: Soundboard{Repeats: 3, Within: 30_000, Differ: 0.3},
		Scream:     Scream{Momentary: -16, Bright: 0.45, MS: 600},
		Echo:       Echo{Differ: 0.35, MaxDelay: 800},
		OpenMic:    OpenMic{Level: -55, MS: 30_000},
	}
}

// Validate returns every problem, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	within := func(key string, v, least, most float64) {
		if !(v >= least && v <= most) {
			errs = append(errs, fmt.Errorf("%s: %v must be %v to %v", key, v, least, most))
		}
	}
	level := func(key string, v float64) { within(key, v, -90, 0) }
	share := func(key string, v float64) { within(key, v, 0.001, 1) }
	lasts := func(key string, ms int64) { within(key, float64(ms), 20, 3_600_000) }
	level("loud.momentary_lufs", c.Loud.Momentary)
	level("loud.short_term_lufs", c.Loud.ShortTerm)
	lasts("loud.momentary_ms", c.Loud.MomentaryMS)
	lasts("loud.short_term_ms", c.Loud.ShortTermMS)
	share("clipping.share", c.Clipping.Share)
	level("noise.level_dbfs", c.Noise.Level)
	share("noise.flatness", c.Noise.Flatness)
	lasts("noise.ms", c.Noise.MS)
	level("hum.level_dbfs", c.Hum.Level)
	within("hum.prominence_db", c.Hum.Prominence, 3, 60)
	lasts("hum.ms", c.Hum.MS)
	share("tone.share", c.Tone.Share)
	share("tone.steady_share", c.Tone.SteadyShare)
	level("tone.level_dbfs", c.Tone.Level)
	lasts("tone.ms", c.Tone.MS)
	share("music.share", c.Music.Share)
	share("music.share_without_vad", c.Music.Unheard)
	level("music.level_dbfs", c.Music.Level)
	lasts("music.ms", c.Music.MS)
	within("soundboard.repeats", float64(c.Soundboard.Repeats), 2, 20)
	within("soundboard.within_ms", float64(c.Soundboard.Within), 1000, printMS)
	share("soundboard.differ", c.Soundboard.Differ)
	level("scream.momentary_lufs", c.Scream.Momentary)
	share("scream.bright", c.Scream.Bright)
	lasts("scream.ms", c.Scream.MS)
	share("echo.differ", c.Echo.Differ)
	within("echo.max_delay_ms", float64(c.Echo.MaxDelay), 0, 1000)
	level("open_mic.level_dbfs", c.OpenMic.Level)
	lasts("open_mic.ms", c.OpenMic.MS)
	return errors.Join(errs...)
}

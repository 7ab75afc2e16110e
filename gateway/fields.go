package gateway

import (
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// checkFields answers POST /fields/check: the texts of one thing, each decided and
// recorded for itself. Where one can't be recorded there is no answer for any; a repeat
// checks all of them again.
func (g *Gateway) checkFields(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	list, err := wire.ReadFieldsCheck(o, g.cfg.Limits)
	if err != nil {
		return err
	}
	var reserved []string
	for i := range list {
		item := &list[i].Check.Item
		item.App = c.app
		if item.Kind != engines.KindName {
			continue
		}
		if reserved == nil {
			if reserved, err = g.deps.Policies.Reserved(c.ctx(), c.app); err != nil {
				return err
			}
		}
		item.Naming.Reserved = reserved
	}
	player := list[0].Check.Item.Player
	g.deps.Economy.Named(c.app, player)
	return g.once(c, player, turn{}, func() (int, []byte, error) { return g.decideFields(c, list) })
}

// decideFields has the desk decide each field.
func (g *Gateway) decideFields(c *call, list []wire.FieldCheck) (status int, body []byte, err error) {
	outcomes := make([]engines.Outcome, len(list))
	for i := range list {
		if outcomes[i], err = g.deps.Desk.Check(c.ctx(), &list[i].Check.Item); err != nil {
			return 0, nil, err
		}
	}
	return 200, wire.AppendSuccess(make([]byte, 0, 1024), c.request, func(dst []byte) []byte {
		return wire.AppendFieldsResult(dst, list, outcomes)
	}), nil
}

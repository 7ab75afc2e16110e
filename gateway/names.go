package gateway

import "github.com/portcullis-gg/portcullis/internal/wire"

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
	if check.Item.Naming.Reserved, err = g.deps.Policies.Reserved(c.ctx(), c.app); err != nil {
		return err
	}
	g.deps.Economy.Named(c.app, check.Item.Player)
	return g.once(c, check.Item.Player, turn{}, func() (int, []byte, error) { return g.check(c, &check) })
}

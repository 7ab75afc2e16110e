package gateway

import "github.com/portcullis-gg/portcullis/internal/wire"

// explainText answers POST /policies/explain, a text check's body: how the text is
// read, what was found in it and why, and what the app's policy makes of it. Nothing is
// stored or published.
func (g *Gateway) explainText(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	check, err := wire.ReadTextCheck(o, g.cfg.Limits)
	if err != nil {
		return err
	}
	check.Item.App = c.app
	out, err := g.deps.Explain.Explain(c.ctx(), &check.Item)
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte { return wire.Raw(dst, "explanation", out) })
}

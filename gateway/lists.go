package gateway

import (
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// listLists answers GET /lists. What they say is for GET /lists/{name}: a list may have
// twenty thousand words.
func (g *Gateway) listLists(c *call) error {
	list, err := g.deps.Policies.Lists(c.ctx(), c.app)
	if err != nil {
		return noPolicy(err, "")
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "lists", len(list), func(dst []byte, i int) []byte {
			v := &list[i]
			dst = wire.Str(wire.Str(dst, "name", v.Name), "source", v.Source)
			return appendStored(wire.Num(dst, "bytes", int64(len(v.Body))), &v.Policy)
		})
	})
}

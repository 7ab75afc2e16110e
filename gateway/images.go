package gateway

import (
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// checkImage answers POST /image/check.
func (g *Gateway) checkImage(c *call) error {
	return g.checkMedia(c, &medium{engines.KindImage, "picture", g.cfg.Limits.ImageBytes, wire.ReadImageCheck})
}

package gateway

import (
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// checkAudio answers POST /audio/check.
func (g *Gateway) checkAudio(c *call) error {
	return g.checkMedia(c, &medium{engines.KindAudio, "sound", g.cfg.Limits.AudioBytes, wire.ReadAudioCheck})
}

package voice

import (
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
)

// rooms are the scenes in which players hear each other through the gateway.
type rooms struct {
	mu    sync.RWMutex
	scene map[roomKey][]*Call
	on    map[engines.SceneID]bool
}

type roomKey struct {
	app   engines.AppID
	scene engines.SceneID
}

// sending numbers what one player hears.
type sending struct{}

func (r *rooms) init(scenes []engines.SceneID) {}
func (r *rooms) join(c *Call)                  {}
func (r *rooms) leave(c *Call)                 {}
func (r *rooms) relay(c *Call, p *packet)      {}

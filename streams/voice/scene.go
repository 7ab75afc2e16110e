package voice

import (
	"slices"
	"sync/atomic"

	"github.com/portcullis-gg/portcullis/engines"
)

// sceneKey names a scene of an app.
type sceneKey struct {
	app   engines.AppID
	scene engines.SceneID
}

// scene is the calls of one scene that this process hears. Who reads packets looks at the
// list with each of them, so it is replaced and never changed; the hub's mutex is held by
// who replaces it.
type scene struct{ list atomic.Pointer[[]*Call] }

// calls are those that have not ended. Nobody changes what it returns.
func (s *scene) calls() []*Call {
	if list := s.list.Load(); list != nil {
		return *list
	}
	return nil
}

// join puts a call among those of its scene; mu is held.
func (h *Hub) join(c *Call) {
	key := sceneKey{c.who.App, c.who.Scene}
	s := h.scenes[key]
	if s == nil {
		s = &scene{}
		h.scenes[key] = s
	}
	list := append(slices.Clone(s.calls()), c)
	s.list.Store(&list)
	c.scene.Store(s)
}

// part takes a call out of its scene, which goes with its last; mu is held.
func (h *Hub) part(c *Call) {
	key := sceneKey{c.who.App, c.who.Scene}
	s := h.scenes[key]
	if s == nil || !slices.Contains(s.calls(), c) {
		return
	}
	list := slices.DeleteFunc(slices.Clone(s.calls()), func(o *Call) bool { return o == c })
	s.list.Store(&list)
	if len(list) == 0 {
		delete(h.scenes, key)
	}
}

// around are the calls of a call's scene, itself among them once it was taken.
func (c *Call) around() []*Call {
	if s := c.scene.Load(); s != nil {
		return s.calls()
	}
	return nil
}

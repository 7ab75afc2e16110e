package chat

import "github.com/portcullis-gg/portcullis/internal/wire"

// ShowFrame gives moderators an event that is encoded already: another gateway's,
// of which e holds what filters ask for.
func (h *Hub) ShowFrame(e *wire.FeedEvent, frame []byte) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for f := range h.feeds {
		f.offer(e, frame)
	}
}

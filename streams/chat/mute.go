package chat

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// A player that is muted may join, hear and be heard of; what it says is answered with
// an error. Nobody checks it: it reaches nobody. Each gateway asks Mutes, so that a
// session that is resumed elsewhere stays muted.

// Mutes knows who may not write or speak. It is asked at each message, so it reads
// memory alone.
type Mutes interface {
	// Muted says until when (zero: for good) and for what.
	Muted(app engines.AppID, player engines.PlayerID) (until time.Time, category engines.Category, muted bool)
	VoiceMuted(app engines.AppID, player engines.PlayerID) (until time.Time, category engines.Category, muted bool)
}

// Players knows the players beyond their tickets.
type Players interface {
	// Arrived has a player at hand whose session opens; it waits for a short time at
	// most. It reports whether there are warnings that the player has not seen.
	Arrived(app engines.AppID, player engines.PlayerID) (untold bool)
	// TellWarnings has them told, by Hub.Warn.
	TellWarnings(app engines.AppID, player engines.PlayerID)
	// Language is the player's, "" where it is not known. It reads memory alone.
	Language(app engines.AppID, player engines.PlayerID) string
}

// nobody stands for Mutes and Players where there are none.
type nobody struct{}

func (nobody) Muted(engines.AppID, engines.PlayerID) (time.Time, engines.Category, bool) {
	return time.Time{}, "", false
}

func (nobody) VoiceMuted(engines.AppID, engines.PlayerID) (time.Time, engines.Category, bool) {
	return time.Time{}, "", false
}
func (nobody) Arrived(engines.AppID, engines.PlayerID) bool    { return false }
func (nobody) TellWarnings(engines.AppID, engines.PlayerID)    {}
func (nobody) Language(engines.AppID, engines.PlayerID) string { return "" }

// mayWrite is nil, or the error that answers a muted player's message.
func (h *Hub) mayWrite(it *engines.Item) error {
	until, _, muted := h.deps.Mutes.Muted(it.App, it.Player)
	if !muted {
		return nil
	}
	return wire.Muted(until, it.ReceivedAt)
}

// welcome tells a session that starts here, new or taken over, that its player is muted.
func (h *Hub) welcome(s *Session) {
	if s.role != session.Player {
		return
	}
	if until, category, muted := h.deps.Mutes.Muted(s.app, s.player); muted {
		s.push(h.muteNotice(s, false, until, category), "")
	}
	if until, category, muted := h.deps.Mutes.VoiceMuted(s.app, s.player); muted {
		s.push(h.muteNotice(s, true, until, category), "")
	}
}

// warnings has those told that the player of a session has not seen, now that there is
// a connection to tell them.
func (h *Hub) warnings(s *Session) {
	if s.role != session.Player {
		return
	}
	h.crew.start(func() {
		if h.deps.Players.Arrived(s.app, s.player) {
			h.deps.Players.TellWarnings(s.app, s.player)
		}
	})
}

// language is the session's: its ticket's, else what is known of its player.
func (h *Hub) language(s *Session) string {
	if s.tags != nil && s.tags.language != "" {
		return s.tags.language
	}
	return h.deps.Players.Language(s.app, s.player)
}

func (h *Hub) muteNotice(s *Session, voice bool, until time.Time, category engines.Category) []byte {
	n, id := wire.Notice{Kind: "mute", Scope: scopeOf(voice), Category: category, Until: until}, muteForGood
	if voice {
		id = voiceForGood
	}
	n.Text = textFor(h.language(s), id, until)
	return wire.AppendNotice(nil, &n)
}

func scopeOf(voice bool) string {
	if voice {
		return "voice"
	}
	return "text"
}

// Here reports whether the player is connected to this gateway.
func (h *Hub) Here(app engines.AppID, p engines.PlayerID) bool {
	s := h.of(app, p)
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.link != nil
}

// Mute tells a player's session here of a mute that holds until a time, zero for good.
// What enforces it is Mutes. It does not wait.
func (h *Hub) Mute(app engines.AppID, p engines.PlayerID, voice bool, until time.Time, category engines.Category) {
	if s := h.of(app, p); s != nil {
		s.push(h.muteNotice(s, voice, until, category), "")
	}
}

// Unmute tells a player's session here that a mute is over. It does not wait.
func (h *Hub) Unmute(app engines.AppID, p engines.PlayerID, voice bool) {
	s := h.of(app, p)
	if s == nil {
		return
	}
	id := unmuted
	if voice {
		id = voiceUnmuted
	}
	s.push(wire.AppendNotice(nil, &wire.Notice{Kind: "unmute", Scope: scopeOf(voice), Text: textFor(h.language(s), id, time.Time{})}), "")
}

// Warn gives a player's session here a warning. It does not wait.
func (h *Hub) Warn(app engines.AppID, p engines.PlayerID, category engines.Category) {
	if s := h.of(app, p); s != nil {
		h.warn(s, category, "", "")
	}
}

// warn tells a player of a warning; why is what the policy has it told, "" for nothing.
func (h *Hub) warn(s *Session, category engines.Category, why string, request engines.RequestID) {
	n := wire.Notice{Kind: "warning", Category: category, Reason: why, Request: request, Text: textFor(h.language(s), warning, time.Time{})}
	s.push(wire.AppendNotice(nil, &n), "")
}

package chat

import (
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// noticeText is something that players are told of what people decided.
type noticeText string

const (
	noticeApproved     noticeText = "approved"
	noticeRejected     noticeText = "rejected"
	noticeAppealUpheld noticeText = "appeal_upheld"
	noticeAppealDenied noticeText = "appeal_denied"
)

// kind is the notice's kind on the wire.
func (n noticeText) kind() string {
	switch n {
	case noticeApproved, noticeAppealUpheld:
		return "approved"
	}
	return "rejected"
}

func (n noticeText) text() textID {
	switch n {
	case noticeApproved:
		return approved
	case noticeAppealUpheld:
		return appealUpheld
	case noticeAppealDenied:
		return appealDenied
	}
	return rejected
}

// notice is one on its way to a player, wherever its session is.
type notice struct {
	app     engines.AppID
	player  engines.PlayerID
	session engines.SessionID // that sent what it is about; "" for none
	kind    noticeText
	request engines.RequestID
	kase    engines.CaseID
}

// announce tells the player here, or else asks the other gateways to.
func (h *Hub) announce(n notice) {
	if h.tellHere(&n) || h.deps.Elsewhere == nil {
		return
	}
	h.deps.Elsewhere([]byte(strings.Join([]string{
		string(n.app), string(n.player), string(n.session), string(n.kind), string(n.request), string(n.kase),
	}, "\n"))) // ids hold no control characters
}

// Announced takes a notice that another gateway could not give.
func (h *Hub) Announced(payload []byte) {
	parts := strings.Split(string(payload), "\n")
	if len(parts) != 6 {
		return
	}
	h.tellHere(&notice{
		engines.AppID(parts[0]), engines.PlayerID(parts[1]), engines.SessionID(parts[2]), noticeText(parts[3]),
		engines.RequestID(parts[4]), engines.CaseID(parts[5]),
	})
}

func (h *Hub) tellHere(n *notice) bool {
	s := h.whose(n.app, n.player, n.session)
	if s == nil {
		return false
	}
	s.push(wire.AppendNotice(nil, &wire.Notice{
		Kind: n.kind.kind(), Request: n.request, Case: n.kase, Text: textFor(h.language(s), n.kind.text(), time.Time{}),
	}), "")
	return true
}

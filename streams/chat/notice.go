package chat

import (
	"strings"

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

// decisionTexts are in the order approved, rejected, appeal upheld, appeal denied.
var decisionTexts = map[string][4]string{
	"en": {
		"Your message was approved.", "Your message was not approved.",
		"Your appeal was upheld: the decision was taken back.", "Your appeal was looked at again: the decision stands.",
	},
	"ja": {
		"メッセージが承認されました。", "メッセージは承認されませんでした。",
		"異議申し立てが認められ、決定は取り消されました。", "異議申し立てを再確認しましたが、決定は変わりません。",
	},
	"zh": {
		"您的消息已通过审核。", "您的消息未通过审核。",
		"您的申诉成立，原处理决定已撤销。", "您的申诉已复核，原处理决定维持不变。",
	},
	"zh-hant": {
		"您的訊息已通過審核。", "您的訊息未通過審核。",
		"您的申訴成立，原處理決定已撤銷。", "您的申訴已複核，原處理決定維持不變。",
	},
	"ko": {
		"메시지가 승인되었습니다.", "메시지가 승인되지 않았습니다.",
		"이의 신청이 받아들여져 결정이 취소되었습니다.", "이의 신청을 다시 검토했으나 결정은 유지됩니다.",
	},
}

func (n noticeText) in(language string) string {
	tag := strings.ToLower(strings.ReplaceAll(language, "_", "-"))
	base, rest, _ := strings.Cut(tag, "-")
	if base == "zh" && traditional(rest) {
		base = "zh-hant"
	}
	texts, ok := decisionTexts[base]
	if !ok {
		texts = decisionTexts["en"]
	}
	for i, known := range []noticeText{noticeApproved, noticeRejected, noticeAppealUpheld} {
		if n == known {
			return texts[i]
		}
	}
	return texts[len(texts)-1]
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
	language := ""
	s.mu.Lock()
	if s.tags != nil {
		language = s.tags.language
	}
	s.mu.Unlock()
	s.push(wire.AppendCaseNotice(nil, n.kind.kind(), n.request, n.kase, n.kind.in(language)), "")
	return true
}

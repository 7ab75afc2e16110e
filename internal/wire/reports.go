package wire

import (
	"cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// detailBytes and wordsBytes bound what players write themselves.
	detailBytes = 2000
	wordsBytes  = 4000
	// contentBytes bounds what a game server sends of what was reported.
	contentBytes = 40_000
)

// ReportRequest is what one player says of another, or of a message.
type ReportRequest struct {
	Reporter engines.PlayerID
	Player   engines.PlayerID
	Message  engines.RequestID
	Scene    engines.SceneID
	Reason   string
	Detail   string
	Content  string
}

// ReadReport reads a report of the stream; a game server names the reporter ("" there).
func ReadReport(o *Object, reporter engines.PlayerID) (ReportRequest, error) {
	r := ReportRequest{
		Reporter: reporter, Player: engines.PlayerID(o.ID("player_id", true)), Message: engines.RequestID(o.ID("message_id", false)),
		Scene: engines.SceneID(o.ID("scene_id", false)), Reason: o.ID("reason", true), Detail: o.atMost("detail", detailBytes),
	}
	if reporter == "" {
		r.Reporter = engines.PlayerID(o.ID("reporter_id", true))
	}
	if r.Player != "" && r.Player == r.Reporter {
		o.Fault("player_id", "must be another player's")
	}
	return r, o.Err()
}

// ReadReportFor reads the body of POST /reports, which a game server sends for a player.
func ReadReportFor(o *Object) (ReportRequest, error) {
	content := o.atMost("content", contentBytes)
	r, err := ReadReport(o, "")
	r.Content = content
	return r, err
}

// AppendReported answers a report with the case that it is in.
func AppendReported(dst []byte, id string, kase engines.CaseID) []byte {
	return append(Str(open(dst, "ok", id), "case_id", string(kase)), '}')
}

// AppealRequest is a player's word against a case or a penalty.
type AppealRequest struct {
	Player  engines.PlayerID
	Case    engines.CaseID
	Penalty string
	Words   string
}

// ReadAppeal reads the body of POST /appeals.
func ReadAppeal(o *Object) (AppealRequest, error) {
	a := AppealRequest{
		Player: engines.PlayerID(o.ID("player_id", true)), Case: engines.CaseID(o.ID("case_id", false)), Penalty: o.ID("penalty_id", false),
		Words: cmp.Or(o.atMost("statement", wordsBytes), o.atMost("words", wordsBytes)), // as answers call it
	}
	if (a.Case == "") == (a.Penalty == "") {
		o.Fault("case_id", "name either a case_id or a penalty_id")
	}
	return a, o.Err()
}

// atMost reads a string of bounded length, "" when absent.
func (o *Object) atMost(name string, most int) string {
	s, _ := o.Text(name)
	if len(s) > most {
		o.Fault(name, "at most "+string(appendInt(nil, int64(most)))+" bytes")
		return ""
	}
	return s
}

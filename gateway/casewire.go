package gateway

import (
	"encoding/json"

	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// appendInner appends a case inside another object. There request_id is the check or
// message that it is about; at the top of an answer that name is the answer's own.
func appendInner(dst []byte, k *store.Case) []byte {
	return appendCaseItself(wire.Str(dst, "request_id", string(k.About())), k)
}

// appendCaseItself appends a case without what opened it.
func appendCaseItself(dst []byte, k *store.Case) []byte {
	dst = wire.Str(wire.Str(dst, "case_id", string(k.ID)), "app_id", string(k.App))
	dst = wire.Str(wire.Str(dst, "check_id", string(k.About())), "player_id", string(k.Player))
	dst = wire.Str(wire.Str(dst, "scene_id", string(k.Scene)), "state", k.State)
	dst = wire.Flag(dst, "held", k.Held)
	dst = wire.Some(wire.Str(dst, "queue", k.Queue), "kind", k.Kind)
	dst = wire.Some(wire.Some(dst, "category", string(k.Category)), "sub_label", k.SubLabel)
	dst = wire.Num(wire.Num(dst, "severity", int64(k.Severity)), "priority", int64(k.Priority))
	if !k.Due.IsZero() {
		dst = wire.When(dst, "due_at", k.Due)
	}
	if k.Assignee != "" {
		dst = wire.When(wire.Str(dst, "assignee", k.Assignee), "until", k.Until)
	}
	dst = wire.Flag(dst, "escalated", k.Level > 0)
	if k.Reporters > 0 {
		dst = wire.Real(wire.Num(dst, "reporters", int64(k.Reporters)), "report_weight", k.Weight)
	}
	dst = wire.Some(dst, "parent_case_id", string(k.Parent))
	if k.State == store.CaseClosed {
		dst = wire.Str(wire.Str(wire.Str(dst, "decision", k.Decision), "by", k.By), "reason", k.Reason)
		dst = wire.Some(wire.Some(dst, "policy", k.Policy), "note", k.Note)
		dst = wire.Flag(wire.When(dst, "decided_at", k.Decided), "undone", k.Undone)
	}
	dst = wire.Num(dst, "version", int64(k.Version))
	return wire.When(wire.When(dst, "created_at", k.Created), "updated_at", k.Updated)
}

// appendCase appends a case with what opened it; of a sound each word and the waveform
// where all is asked for.
func appendCase(dst []byte, f *casework.File, all bool) []byte {
	dst = appendCaseItself(dst, &f.Case)
	if f.Case.Alert != nil { // the economy's: no content was checked
		return wire.Obj(dst, "economy", func(dst []byte) []byte { return wire.AppendAlert(dst, f.Case.Alert) })
	}
	d := f.Opened
	if d == nil {
		d = &store.Decision{}
		if f.Message != nil {
			d.Content, d.Language = f.Message.Content, f.Message.Language
		} else if len(f.Reports) > 0 {
			d.Content = f.Reports[0].Content
		}
	}
	dst = wire.AppendFinding(dst, d.Content, d.Language, &d.Verdict, d.Took)
	if d.Circumstances.Use != "" {
		dst = wire.AppendUse(dst, d.Circumstances.Use, d.Media, all)
	}
	return dst
}

// appendFile appends a case with all that is around it.
func appendFile(dst []byte, f *casework.File) []byte {
	dst = appendCase(dst, f, true)
	if d := f.Opened; d != nil {
		dst = wire.AppendSignals(wire.Str(wire.Str(dst, "content_kind", string(d.Kind)), "policy_version", d.Verdict.PolicyVersion), d.Signals)
	}
	dst = wire.Obj(dst, "context", func(dst []byte) []byte {
		dst = appendMessages(dst, "before", f.Before)
		if f.Message != nil {
			dst = wire.Obj(dst, "message", func(dst []byte) []byte { return appendMessage(dst, f.Message) })
		}
		return appendMessages(dst, "after", f.After)
	})
	dst = appendReports(dst, f.Reports)
	dst = wire.List(dst, "earlier", len(f.Earlier), func(dst []byte, i int) []byte { return appendInner(dst, &f.Earlier[i]) })
	dst = wire.List(dst, "penalties", len(f.Penalties), func(dst []byte, i int) []byte {
		p := &f.Penalties[i]
		dst = wire.Str(wire.Str(wire.Str(dst, "penalty_id", p.ID), "kind", p.Kind), "state", p.State)
		dst = wire.When(wire.Str(wire.Str(dst, "reason", p.Reason), "by", p.By), "created_at", p.At)
		if !p.Until.IsZero() {
			dst = wire.When(dst, "until", p.Until)
		}
		return dst
	})
	if f.Appeal != nil {
		dst = wire.Obj(dst, "appeal", func(dst []byte) []byte { return appendAppeal(dst, f.Appeal) })
	}
	if f.Parent != nil {
		dst = wire.Obj(dst, "parent", func(dst []byte) []byte { return appendInner(dst, f.Parent) })
	}
	return wire.List(dst, "history", len(f.History), func(dst []byte, i int) []byte {
		e := &f.History[i]
		dst = wire.When(wire.Num(dst, "version", int64(e.Version)), "at", e.At)
		dst = wire.Str(wire.Str(wire.Str(dst, "actor", e.Actor), "action", e.Action), "state", e.State)
		if json.Valid([]byte(e.Detail)) {
			dst = wire.Raw(dst, "detail", []byte(e.Detail))
		}
		return dst
	})
}

func appendMessages(dst []byte, name string, list []store.SceneMessage) []byte {
	return wire.List(dst, name, len(list), func(dst []byte, i int) []byte { return appendMessage(dst, &list[i]) })
}

func appendMessage(dst []byte, m *store.SceneMessage) []byte {
	dst = wire.Str(wire.Str(dst, "message_id", string(m.Message)), "player_id", string(m.Player))
	dst = wire.Some(wire.Str(dst, "content", m.Content), "language", m.Language)
	return wire.When(wire.Str(dst, "state", m.State), "sent_at", m.Sent)
}

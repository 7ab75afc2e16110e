package gateway

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Records are what is stored of a player.
type Records interface {
	PlayerRecords(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(store.PlayerRecord) error) error
}

// exportPlayer answers GET /players/{id}/export: what is stored of a player, one record
// a line, for the player. Nothing stored is no lines.
func (g *Gateway) exportPlayer(c *call) error {
	player, err := pathID(c, "id")
	if err != nil {
		return err
	}
	f, err := unnamedFile()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	line := make([]byte, 0, 1024)
	err = g.deps.Records.PlayerRecords(c.ctx(), c.app, engines.PlayerID(player), func(r store.PlayerRecord) error {
		line = appendRecord(append(line[:0], '{'), &r, g.deps.Economy.Status)
		line = append(append(line[:1], line[2:]...), '}', '\n') // without the comma in front of the first member
		_, err := w.Write(line)
		return err
	})
	if err := errors.Join(err, w.Flush()); err != nil {
		return errors.Join(err, f.Close())
	}
	g.log.Info("player's data exported", "request_id", c.request, "app", c.app, "by", c.actor())
	return c.sendFile(f, "application/x-ndjson", "player-"+string(c.request)+".ndjson")
}

// unnamedFile is a file that goes with its last handle.
func unnamedFile() (*os.File, error) {
	f, err := os.CreateTemp("", "portcullis-export-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// sendFile sends a file from its start as an attachment; the server closes it.
func (c *call) sendFile(f *os.File, kind, name string) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	c.Set(fiber.HeaderContentType, kind)
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return c.SendStream(f, int(size))
}

func appendRecord(dst []byte, r *store.PlayerRecord, status func(*economy.Ban) string) []byte {
	switch {
	case r.Decision != nil:
		d := r.Decision
		dst = wire.When(wire.Str(wire.Str(dst, "record", "check"), "request_id", string(d.Request)), "at", d.Created)
		dst = wire.Some(wire.Str(dst, "kind", string(d.Kind)), "scene_id", string(d.Scene))
		// Categories and reasons, as players learn them: no scores, no places, no rules.
		dst = wire.Some(wire.Str(dst, "content", d.Content), "language", d.Language)
		dst = wire.Str(wire.Str(dst, "suggestion", string(d.Verdict.Suggestion)), "action", string(d.Verdict.Action))
		return appendStatements(wire.Strs(dst, "categories", categoriesOf(&d.Verdict)), d.Statements)
	case r.Message != nil:
		m := r.Message
		dst = wire.When(wire.Str(wire.Str(dst, "record", "message"), "message_id", string(m.Message)), "at", m.Sent)
		return wire.Str(wire.Str(wire.Str(dst, "scene_id", string(m.Scene)), "content", m.Content), "state", m.State)
	case r.Entry != nil:
		return wire.AppendEntry(wire.Str(dst, "record", "log"), r.Entry)
	case r.Ban != nil:
		b := r.Ban
		dst = wire.Str(wire.AppendBan(wire.Str(dst, "record", "ban"), b), "reason", b.Reason)
		return wire.Str(wire.When(dst, "at", time.UnixMilli(b.Created)), "status", status(b))
	case r.Voice != nil:
		v := r.Voice
		dst = wire.Str(wire.When(wire.Str(dst, "record", "voice"), "at", time.UnixMilli(v.Kept)), "penalty_id", v.Ref)
		return wire.When(wire.Num(dst, "spoken_ms", v.SpokenMS), "until", time.UnixMilli(v.Until))
	}
	return dst
}

func categoriesOf(v *engines.Verdict) (list []string) {
	for _, l := range v.Found().Labels {
		if !slices.Contains(list, string(l.Category)) {
			list = append(list, string(l.Category))
		}
	}
	return list
}

// appendStatements appends statements of reasons under the names that the Digital
// Services Act's database has for their fields.
func appendStatements(dst []byte, list []store.Statement) []byte {
	return wire.List(dst, "statement_of_reasons", len(list), func(dst []byte, i int) []byte {
		s := &list[i]
		dst = wire.Str(wire.Str(dst, "decision_ground", s.Ground), "ground_text", s.GroundText)
		dst = wire.Str(wire.Str(dst, "category", s.Category), "content_type", s.ContentType)
		dst = wire.When(wire.When(dst, "content_date", s.ContentDate), "application_date", s.Applied)
		if !s.Ends.IsZero() {
			dst = wire.When(dst, "end_date", s.Ends)
		}
		dst = wire.Str(wire.Strs(dst, "territorial_scope", s.Territory), "source_type", s.Source)
		dst = wire.Str(wire.Flag(dst, "automated_detection", s.AutomatedDetection), "automated_decision", s.AutomatedDecision)
		dst = wire.Some(wire.Some(wire.Some(dst, "decision_visibility", s.Visibility), "decision_account", s.Account), "decision_provision", s.Provision)
		return wire.Str(dst, "facts", s.Facts)
	})
}

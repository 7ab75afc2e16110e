package gateway

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/evidence"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// readyz answers a load balancer: 200 while requests are welcome. How the parts
// are is nobody's business here; the admin listener tells.
func (g *Gateway) readyz(c *fiber.Ctx) error {
	if g.deps.Health.Report(c.UserContext()).Ready {
		return c.SendString("ready\n")
	}
	return c.Status(fiber.StatusServiceUnavailable).SendString("not ready\n")
}

// status answers GET /status for the console.
func (g *Gateway) status(c *call) error {
	r := g.deps.Health.Report(c.ctx())
	return c.ok(func(dst []byte) []byte { return AppendReport(dst, r) })
}

// AppendReport appends the members of a report.
func AppendReport(dst []byte, r Report) []byte {
	dst = wire.Flag(wire.Flag(dst, "ready", r.Ready), "degraded", r.Degraded)
	dst = wire.Str(dst, "version", r.Version)
	return wire.List(dst, "components", len(r.Components), func(dst []byte, i int) []byte {
		k := r.Components[i]
		dst = wire.Str(wire.Str(wire.Str(dst, "name", k.Name), "state", k.State), "detail", k.Detail)
		if k.Load == nil {
			return dst
		}
		return wire.Obj(dst, "load", func(dst []byte) []byte {
			dst = wire.Num(wire.Num(dst, "busy", int64(k.Load.Busy)), "slots", int64(k.Load.Slots))
			return wire.Num(wire.Num(dst, "waiting", int64(k.Load.Waiting)), "queue", int64(k.Load.Queue))
		})
	})
}

// limits answers GET /limits.
func (g *Gateway) limits(c *call) error {
	l := g.cfg.Limits
	return c.ok(func(dst []byte) []byte {
		dst = wire.Num(dst, "json_body_bytes", int64(l.BodyBytes))
		dst = wire.Num(dst, "text_code_points", int64(l.TextCodePoints))
		dst = wire.Num(dst, "log_entries", int64(l.LogEntries))
		dst = wire.Num(dst, "stream_frame_bytes", int64(l.FrameBytes))
		dst = wire.Num(dst, "policy_bytes", int64(g.bodyLimit([]byte("/api/v1/lists/"))))
		dst = wire.Num(wire.Num(dst, "batch_lines", int64(l.BatchLines)), "batch_bytes", l.BatchBytes)
		dst = wire.Num(dst, "batch_line_bytes", int64(l.BatchLineBytes))
		dst = wire.Num(dst, "batch_file_line_bytes", int64(l.BatchFileLineBytes))
		dst = wire.Num(wire.Num(dst, "batches_at_once", int64(l.BatchesAtOnce)), "batch_lines_a_day", int64(l.BatchLinesADay))
		dst = wire.Num(wire.Num(dst, "policy_documents", policies.MaxDocuments), "policy_words", policy.MaxWords)
		dst = wire.Num(wire.Num(dst, "policy_windows", policy.MaxWindows), "evidence_export_items", evidence.MaxExport)
		dst = wire.Num(wire.Num(wire.Num(dst, "image_bytes", int64(l.ImageBytes)), "image_pixels", int64(l.ImagePixels)), "image_frames", int64(l.ImageFrames))
		dst = wire.Num(wire.Num(wire.Num(dst, "audio_bytes", int64(l.AudioBytes)), "audio_seconds", int64(l.AudioSeconds)), "audio_channels", int64(l.AudioChannels))
		dst = wire.Num(dst, "ticket_seconds", int64(5*time.Minute/time.Second))
		return wire.List(dst, "rates", len(limit.Classes), func(dst []byte, i int) []byte {
			class := limit.Classes[i]
			return wire.Num(wire.Str(dst, "class", string(class)), "per_second", int64(g.deps.Rates.Rate(class)))
		})
	})
}

func (g *Gateway) openapi(c *call) error {
	c.Set(fiber.HeaderContentType, "application/yaml; charset=utf-8")
	return c.Send(g.deps.OpenAPI)
}

package gateway

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Voice takes calls; package voice has the one there is. Errors are answers of the wire.
type Voice interface {
	// Offer answers an SDP offer and says what the call is named.
	Offer(ctx context.Context, who *session.Speaker, sdp string) (answer, id string, err error)
	Trickle(id string, candidates []string, mid string) error
	Hang(id string) error
	// Door makes a one-time address for a player's sound, good for DoorFor.
	Door(who *session.Speaker, rate, channels int) (id string, err error)
	// Enter opens the call of a one-time address; hangUp is called once it has ended.
	Enter(id string, hangUp func()) (Listener, error)
}

// Listener hears the sound of one socket. It does not wait.
type Listener interface {
	// Sound reports whether the call goes on.
	Sound(pcm []byte) bool
	Mute(muted bool)
	End()
}

// DoorFor is how long the address of an egress is good.
const DoorFor = time.Minute

func (g *Gateway) voiceRoutes() []route {
	return []route{
		{method: "POST", path: "/voice/whip", auth: ticketed, limit: limit.Check, handle: g.fromBrowser(g.whip)},
		{method: "OPTIONS", path: "/voice/whip", auth: public, handle: g.fromBrowser(g.whipPreflight)},
		// The name of a call is a secret that whoever made it was told.
		{method: "PATCH", path: "/voice/whip/:id", auth: public, handle: g.fromBrowser(g.whipTrickle)},
		{method: "DELETE", path: "/voice/whip/:id", auth: public, handle: g.fromBrowser(g.whipEnd)},
		{method: "OPTIONS", path: "/voice/whip/:id", auth: public, handle: g.fromBrowser(g.whipPreflight)},
		{method: "POST", path: "/voice/egress", auth: checked, limit: limit.Check, scope: auth.ScopeStream, replay: auth.ReplayNonce, handle: g.makeEgress},
		{method: "GET", path: "/voice/egress/:id", auth: public, handle: g.egress},
	}
}

// byTicket admits a player with a ticket, which is used up.
func (g *Gateway) byTicket(c *call) error {
	lines := headers(c.Ctx, fiber.HeaderAuthorization)
	if len(lines) > 1 {
		return errTwoCallers
	}
	token, ok := "", false
	if len(lines) == 1 {
		token, ok = bearer(lines[0])
	}
	if !ok {
		return &auth.Error{Cause: auth.CauseGrammar, Err: errors.New("no ticket")}
	}
	id, err := g.deps.Identities.Identify(c.ctx(), token)
	if err != nil {
		return byTicketError(err)
	}
	if id.Role != session.Player {
		return wire.Fail(wire.Forbidden, "this takes a player's ticket (POST /api/v1/auth/ticket)")
	}
	c.app, c.player = id.App, id
	return nil
}

func byTicketError(err error) error {
	if errors.Is(err, session.ErrUnknown) || errors.Is(err, session.ErrExpired) {
		return &auth.Error{Cause: auth.CauseTicket, Err: err}
	}
	return err
}

// whip answers POST /voice/whip?scene_id= (RFC 9725): an SDP offer in, an answer out.
func (g *Gateway) whip(c *call) error {
	if !hasType(c, "application/sdp") {
		return wire.Fail(wire.Unsupported, "Content-Type must be application/sdp")
	}
	scene := engines.SceneID(strings.Clone(c.Query("scene_id")))
	switch {
	case !wire.ValidID(string(scene)):
		return wire.Invalid("?scene_id", "is required: 1 to 128 bytes without control characters")
	case !slices.Contains(c.player.Grants, scene):
		return wire.Fail(wire.Forbidden, "the ticket does not name this scene")
	}
	if err := g.deps.Identities.Use(c.ctx(), c.player); err != nil {
		return g.refused(c, byTicketError(err))
	}
	p := &c.player
	g.deps.Economy.Named(p.App, p.Player)
	answer, id, err := g.deps.Voice.Offer(c.ctx(), &session.Speaker{
		App: p.App, Player: p.Player, Scene: scene, From: c.from, Segment: p.Segment, Region: p.Region, Language: p.Language,
	}, string(c.body()))
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderLocation, "/api/v1/voice/whip/"+id)
	c.Set("Accept-Patch", sdpFragment)
	c.Set(fiber.HeaderContentType, "application/sdp")
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Status(fiber.StatusCreated).SendString(answer)
}

// sdpFragment is the type of trickled candidates (RFC 8840).
const sdpFragment = "application/trickle-ice-sdpfrag"

func hasType(c *call, want string) bool {
	kind, _, _ := strings.Cut(c.Get(fiber.HeaderContentType), ";")
	return strings.EqualFold(strings.TrimSpace(kind), want)
}

// whipTrickle answers PATCH /voice/whip/{id}: more candidates of the client.
func (g *Gateway) whipTrickle(c *call) error {
	if !hasType(c, sdpFragment) {
		return wire.Fail(wire.Unsupported, "Content-Type must be "+sdpFragment)
	}
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	candidates, mid := readFragment(string(c.body()))
	if err := g.deps.Voice.Trickle(id, candidates, mid); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// readFragment takes the candidates out of an SDP fragment, and the first media section
// that they are of.
func readFragment(text string) (candidates []string, mid string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if v, ok := strings.CutPrefix(line, "a=candidate:"); ok {
			candidates = append(candidates, "candidate:"+v)
		}
		if v, ok := strings.CutPrefix(line, "a=mid:"); ok && mid == "" {
			mid = v
		}
	}
	return candidates, mid
}

// whipEnd answers DELETE /voice/whip/{id}.
func (g *Gateway) whipEnd(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	if err := g.deps.Voice.Hang(id); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusOK)
}

// makeEgress answers POST /voice/egress: an address for LiveKit's track egress.
func (g *Gateway) makeEgress(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	v, err := wire.ReadVoiceEgress(o)
	if err != nil {
		return err
	}
	g.deps.Economy.Named(c.app, v.Player)
	id, err := g.deps.Voice.Door(&session.Speaker{App: c.app, Player: v.Player, Scene: v.Scene, Language: v.Language}, v.Rate, v.Channels)
	if err != nil {
		return err
	}
	scheme := "ws"
	if g.cfg.TLS.Cert != "" || len(g.cfg.TrustedProxies) > 0 && strings.EqualFold(c.Get(fiber.HeaderXForwardedProto), "https") {
		scheme = "wss"
	}
	url := scheme + "://" + strings.Clone(c.Get(fiber.HeaderHost)) + "/api/v1/voice/egress/" + id
	return c.ok(func(dst []byte) []byte {
		return wire.Str(append(dst, `,"expires_in":60`...), "url", url)
	})
}

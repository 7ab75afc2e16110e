package auth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// TicketTTL is how long a ticket may be good for, and how long ours are.
	TicketTTL = 5 * time.Minute

	ticketAudience = "portcullis"
	ticketLeeway   = 30 * time.Second
	maxTicket      = 8192 // bytes; room for some hundred scenes
)

// Ticket is what a game server says of a player that it lets in.
type Ticket struct {
	App    engines.AppID
	Player engines.PlayerID
	// ID is the jti, "" when the ticket has none. A ticket that has one connects once.
	ID string
	// Scenes are those that the player may join; none when the ticket names none.
	Scenes []engines.SceneID
	// Segment, Region and Language are "" when absent.
	Segment, Region, Language string
	Issued, Expires           time.Time
}

// Tickets mints and checks player tickets: JWTs signed with a secret of the app
// (HS256 and nothing else), which game servers mostly mint themselves.
type Tickets struct {
	secrets *Secrets
	seen    SeenStore
	key     SeenKey
	now     func() time.Time
	parser  *jwt.Parser
	dummy   string
}

// NewTickets returns a Tickets that remembers used ones in seen under key. A
// nil now is time.Now.
func NewTickets(secrets *Secrets, seen SeenStore, key SeenKey, now func() time.Time) *Tickets {
	now = clock(now)
	return &Tickets{
		secrets: secrets, seen: seen, key: key, now: now, dummy: newSecret(),
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
			jwt.WithStrictDecoding(),
			jwt.WithAudience(ticketAudience),
			jwt.WithExpirationRequired(),
			jwt.WithIssuedAt(),
			jwt.WithLeeway(ticketLeeway),
			jwt.WithTimeFunc(now),
		),
	}
}

type ticketClaims struct {
	jwt.RegisteredClaims

	Scenes   []engines.SceneID `json:"scenes,omitempty"`
	Segment  string            `json:"segment,omitempty"`
	Region   string            `json:"region,omitempty"`
	Language string            `json:"language,omitempty"`
}

// Mint makes a ticket of app for t.Player, single use, good for the TTL that it
// returns. App, ID and times of t are ours to set. Errors wrap ErrInvalid,
// ErrUnavailable or, for an app without a live secret, are *Error.
func (ts *Tickets) Mint(ctx context.Context, app engines.AppID, t Ticket) (ticket string, ttl time.Duration, err error) {
	now := ts.now()
	claims := ticketClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: string(app), Subject: string(t.Player), Audience: jwt.ClaimStrings{ticketAudience}, ID: newSecret(),
			// JWT times are whole seconds.
			IssuedAt: jwt.NewNumericDate(now.Truncate(time.Second)), ExpiresAt: jwt.NewNumericDate(now.Truncate(time.Second).Add(TicketTTL)),
		},
		Scenes: t.Scenes, Segment: t.Segment, Region: t.Region, Language: t.Language,
	}
	if err := claims.check(); err != nil {
		return "", 0, invalid("%s", err)
	}
	secrets, err := ts.secrets.LiveSecrets(ctx, app)
	if err != nil {
		return "", 0, err
	}
	if len(secrets) == 0 || secrets[0] == "" {
		return "", 0, &Error{Cause: CauseApp, App: app}
	}
	ticket, err = jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(secrets[0]))
	if err != nil {
		return "", 0, fmt.Errorf("sign ticket of app %s: %w", app, err)
	}
	if len(ticket) > maxTicket {
		return "", 0, invalid("ticket of %d bytes: name fewer scenes", len(ticket))
	}
	return ticket, TicketTTL, nil
}

// Check verifies a ticket with every live secret of the app that it names. It
// does not use the ticket up: UseJTI does. Errors are *Error or wrap ErrUnavailable.
func (ts *Tickets) Check(ctx context.Context, ticket string) (Ticket, error) {
	// Go's base64 skips line feeds, so the alphabet is looked at here.
	if len(ticket) > maxTicket || !all(ticket, func(c byte) bool { return urlSafe(c) || c == '.' }) {
		return Ticket{}, &Error{Cause: CauseGrammar, Err: errors.New("ticket too long, or no JWT")}
	}
	t, tried, err := ts.parse(ticket, func(app engines.AppID) ([]string, error) { return ts.secrets.LiveSecrets(ctx, app) })
	if !errors.Is(err, jwt.ErrTokenSignatureInvalid) || t.App == "" {
		return t, err
	}
	// Like Verifier.Verify: a secret may be younger than what we know.
	fresh, ferr := ts.secrets.Refresh(ctx, t.App)
	if ferr != nil {
		return Ticket{}, ferr
	}
	if slices.Equal(fresh, tried) {
		return Ticket{}, err
	}
	t, _, err = ts.parse(ticket, func(engines.AppID) ([]string, error) { return fresh, nil })
	return t, err
}

// UseJTI uses a ticket up. Call it when a connection is to begin (at hello, and
// at resume when a ticket is given), after Check and after everything else that
// may refuse the connection. A ticket without an ID is not single-use. Errors
// are *Error with CauseTicketUsed or wrap ErrUnavailable.
func (ts *Tickets) UseJTI(ctx context.Context, app engines.AppID, jti string) error {
	if jti == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(jti))
	// SeenFor outlasts a ticket: its life, the leeway on both ends.
	first, err := ts.seen.Seen(ctx, ts.key(app, hex.EncodeToString(sum[:])), SeenFor)
	switch {
	case err != nil:
		return unavailable(fmt.Sprintf("remember ticket of app %s", app), err)
	case !first:
		return &Error{Cause: CauseTicketUsed, App: app}
	}
	return nil
}

// parse also returns the secrets that were tried. With an invalid signature it
// returns a ticket that has the claimed App and nothing else.
func (ts *Tickets) parse(ticket string, secrets func(engines.AppID) ([]string, error)) (Ticket, []string, error) {
	var (
		claims ticketClaims
		tried  []string
		asked  error // of the store, apart from what is wrong with the ticket
	)
	_, err := ts.parser.ParseWithClaims(ticket, &claims, func(token *jwt.Token) (any, error) {
		if err := wellFormed(token); err != nil {
			return nil, err
		}
		if !ValidApp(engines.AppID(claims.Issuer)) {
			return nil, errors.New("iss is no app id")
		}
		if tried, asked = secrets(engines.AppID(claims.Issuer)); asked != nil {
			return nil, asked
		}
		return ts.keys(tried), nil
	})
	if asked != nil {
		return Ticket{}, nil, asked
	}
	var app engines.AppID
	if ValidApp(engines.AppID(claims.Issuer)) {
		app = engines.AppID(claims.Issuer)
	}
	switch {
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return Ticket{App: app}, tried, &Error{Cause: CauseTicket, App: app, Err: err}
	case errors.Is(err, jwt.ErrTokenExpired):
		return Ticket{}, nil, &Error{Cause: CauseTicketExpired, App: app}
	case err == nil:
		err = claims.check()
	}
	if err != nil {
		return Ticket{}, nil, &Error{Cause: CauseTicket, App: app, Err: err}
	}
	return claims.ticket(), tried, nil
}

// keys returns what to verify with: a stand-in for an app that has no secret.
func (ts *Tickets) keys(secrets []string) jwt.VerificationKeySet {
	var set jwt.VerificationKeySet
	for _, s := range secrets {
		if s != "" {
			set.Keys = append(set.Keys, []byte(s))
		}
	}
	if len(set.Keys) == 0 {
		set.Keys = append(set.Keys, []byte(ts.dummy))
	}
	return set
}

// wellFormed refuses what the JWT library lets pass: extensions that the signer
// says must be understood, and JSON that is no UTF-8.
func wellFormed(token *jwt.Token) error {
	if _, ok := token.Header["crit"]; ok {
		return errors.New("critical extension")
	}
	parts := strings.Split(token.Raw, ".")
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || !utf8.Valid(payload) {
		return errors.New("payload is not UTF-8")
	}
	return nil
}

// check holds the rules that are ours rather than JWT's.
func (c *ticketClaims) check() error {
	switch {
	case c.IssuedAt == nil:
		return errors.New("iat is missing")
	case !c.ExpiresAt.After(c.IssuedAt.Time):
		return errors.New("exp must be after iat")
	case c.ExpiresAt.Sub(c.IssuedAt.Time) > TicketTTL:
		return errors.New("exp must be at most 300 s after iat")
	case !validID(c.Subject):
		return errors.New("sub must be a player id")
	}
	for name, v := range map[string]string{"jti": c.ID, "segment": c.Segment, "region": c.Region, "language": c.Language} {
		if v != "" && !validID(v) {
			return fmt.Errorf("%s must be at most 128 bytes without control characters", name)
		}
	}
	for _, s := range c.Scenes {
		if !validID(string(s)) {
			return errors.New("scenes must be scene ids")
		}
	}
	return nil
}

func (c *ticketClaims) ticket() Ticket {
	return Ticket{
		App: engines.AppID(c.Issuer), Player: engines.PlayerID(c.Subject), ID: c.ID, Scenes: c.Scenes,
		Segment: c.Segment, Region: c.Region, Language: c.Language,
		Issued: c.IssuedAt.Time, Expires: c.ExpiresAt.Time,
	}
}

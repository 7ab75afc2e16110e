package main

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/audit"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/erasure"
	"github.com/portcullis-gg/portcullis/internal/evidence"
	"github.com/portcullis-gg/portcullis/internal/history"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/blobs"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// buildRecords builds what keeps records: evidence, the history of scenes, signed
// checkpoints of the audit log, erasures.
func (a *app) buildRecords() (err error) {
	a.auditKey = auditKey(a.masterKey)
	dir := a.cfg.Evidence.Dir
	if dir == "" {
		dir = filepath.Join(a.cfg.data, "evidence")
	}
	a.files, err = blobs.Open(blobs.Config{Dir: dir, MaxSize: a.cfg.Evidence.MaxFile})
	if err != nil {
		return err
	}
	a.evidence, err = evidence.New(a.cfg.Evidence, evidence.Deps{Store: a.db, Files: a.files, Sign: a.auditKey, Log: a.log})
	if err != nil {
		return err
	}
	a.history, err = history.New(a.cfg.History, a.db, a.reg, a.log)
	if err != nil {
		return err
	}
	a.auditing = audit.NewKeeper(a.cfg.Audit, a.db, a.auditKey, a.log)
	a.erasures = erasure.New(a.db, playerMemory{a}, a.log)
	return nil
}

// auditKey signs for an installation: every gateway that has its master key has it.
func auditKey(master [32]byte) audit.Key {
	return audit.NewKey(sqlstore.DeriveKey(master, "audit checkpoints"))
}

// playerMemory is what gateways hold of players outside of the store.
type playerMemory struct{ a *app }

// The first lines of notes on the feed's channel: end the player's session; what was
// read of it is gone.
const (
	erasedNotice = "erased"
	goneNotice   = "gone"
)

func (m playerMemory) Dismiss(ctx context.Context, app engines.AppID, player engines.PlayerID) error {
	m.a.dismiss(app, player) //nolint:contextcheck // an end of a session outlives who asked for it
	m.a.tellOf(erasedNotice, app, player)
	return m.a.redis.ForgetPlayer(ctx, app, player)
}

// Unanswer comes once what was under way has ended.
func (m playerMemory) Unanswer(ctx context.Context, app engines.AppID, player engines.PlayerID) error {
	return m.a.answers().Unanswer(ctx, app, player)
}

// Erased comes once nothing is stored of the player any more: what was read of it
// meanwhile is forgotten once more.
func (m playerMemory) Erased(app engines.AppID, player engines.PlayerID) {
	m.a.forgetPlayer(app, player)
	m.a.tellOf(goneNotice, app, player)
}

func (a *app) dismiss(app engines.AppID, player engines.PlayerID) {
	a.hub.Dismiss(app, player)
	a.voice.Dismiss(app, player)
	a.history.Forget(app, player)
	a.forgetPlayer(app, player)
}

// forgetPlayer forgets what this gateway holds of a player. Of penalties it holds those
// that stand, which an erasure leaves; they are looked at again.
func (a *app) forgetPlayer(app engines.AppID, player engines.PlayerID) {
	a.economy.ForgetPlayer(app, player)
	a.players.Forget(app, player)
	a.penalties.Told(app, player)
	a.voiceLinks.Forget(app, player)
}

// Forget is for what was not heard of by name.
func (m playerMemory) Forget(app engines.AppID) {
	m.a.players.Outdate(app)
	m.a.economy.Forget(app)
}

// heardErased takes such a note; false for any other.
func (a *app) heardErased(payload []byte) bool {
	parts := strings.Split(string(payload), "\n")
	if len(parts) != 4 || parts[0] != erasedNotice && parts[0] != goneNotice {
		return false
	}
	app, player := engines.AppID(parts[2]), engines.PlayerID(parts[3])
	switch {
	case parts[1] == a.node:
	case parts[0] == goneNotice:
		a.forgetPlayer(app, player)
	default:
		a.dismiss(app, player)
	}
	return true
}

// auditLog is the audit log with the key that checks it.
type auditLog struct {
	*sqlstore.Store

	key audit.Key
}

var _ gateway.Audit = auditLog{}

func (l auditLog) AuditCheckpoints(ctx context.Context) ([]store.Checkpoint, string, error) {
	list, err := l.NewestCheckpoints(ctx)
	return list, l.key.Public(), err
}

// appBook keeps apps; secrets that change are forgotten where they are cached.
type appBook struct {
	*sqlstore.Store

	cached *auth.Secrets
}

var _ gateway.Apps = appBook{}

func (b appBook) Register(ctx context.Context, app engines.AppID, by string) (store.Secret, error) {
	s := store.Secret{App: app, KeyID: newKeyID(), Secret: newSecret(), Created: time.Now()}
	err := b.RegisterApp(ctx, app, s.KeyID, s.Secret, by)
	b.cached.Forget(app)
	return s, err
}

func (b appBook) Rotate(ctx context.Context, app engines.AppID, overlap time.Duration, by string) (store.Secret, error) {
	now := time.Now()
	s := store.Secret{App: app, KeyID: newKeyID(), Secret: newSecret(), NotBefore: now, Created: now}
	err := b.RotateSecret(ctx, s, now.Add(overlap), by)
	b.cached.Forget(app)
	return s, err
}

func (b appBook) End(ctx context.Context, app engines.AppID, keyID, by string) error {
	err := b.EndSecrets(ctx, app, []string{keyID}, by)
	b.cached.Forget(app)
	return err
}

func (s authStore) PasswordLinkOf(ctx context.Context, hash [32]byte, now time.Time) (string, error) {
	name, err := s.db.PasswordLinkOf(ctx, hash, now)
	return name, missing(err)
}

func (s authStore) UsePasswordLink(ctx context.Context, hash [32]byte, passwordHash string, now time.Time) error {
	return missing(s.db.UsePasswordLink(ctx, hash, passwordHash, now))
}

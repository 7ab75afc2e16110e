package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/economy/risk"
	"github.com/portcullis-gg/portcullis/economy/rules"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/name"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/audit"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/banks"
	"github.com/portcullis-gg/portcullis/internal/batch"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/dispatch"
	"github.com/portcullis-gg/portcullis/internal/erasure"
	"github.com/portcullis-gg/portcullis/internal/evidence"
	"github.com/portcullis-gg/portcullis/internal/giveway"
	"github.com/portcullis-gg/portcullis/internal/history"
	"github.com/portcullis-gg/portcullis/internal/hooks"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/penalty"
	"github.com/portcullis-gg/portcullis/internal/players"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/report"
	"github.com/portcullis-gg/portcullis/internal/resident"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/stats"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/blobs"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/voicelink"
	"github.com/portcullis-gg/portcullis/streams/chat"
	"github.com/portcullis-gg/portcullis/streams/voice"
	"github.com/portcullis-gg/portcullis/web"
)

// app is a whole gateway. Tests build the same one.
type app struct {
	cfg  config
	log  *slog.Logger
	reg  *prometheus.Registry
	node string

	db       *sqlstore.Store
	redis    *redisstore.Redis
	jobs     *redisstore.Jobs // nil where every engine runs here
	behind   *redisstore.Behind
	listener *redisstore.Listener

	secrets *auth.Secrets
	who     identities
	setup   *auth.Setup
	models  *modelKeeper
	meaning meaningParts // reads what the text engine is unsure of
	pool    *engines.Pool
	names   *engines.Pool
	away    map[engines.Kind]*dispatch.Engine // by kind, of those that workers look at
	images  *engines.Pool

	imageParts *imageParts
	audioParts *audioParts
	sounds     *soundPools
	explain    *explainer
	desk       *review.Desk
	cases      *casework.Service
	feed       *feed
	rules      *rules.Keeper
	economy    *economy.Service
	batches    *batch.Service
	hooks      *hooks.Service
	counter    *stats.Counter
	stats      *stats.Service
	reports    *report.Service
	hub        *chat.Hub
	voice      *voice.Hub
	door       *gateway.Gateway

	policies   *policies.Keeper
	imageBanks *banks.Keeper
	penalties  *penalty.Service
	players    *players.Service
	masterKey  [32]byte
	auditKey   audit.Key
	auditing   *audit.Keeper
	evidence   *evidence.Service
	history    *history.Recorder
	erasures   *erasure.Service
	voiceLinks *voicelink.Keeper
	files      *blobs.Store

	crew *giveway.Crew // for what is behind verdicts

	draining atomic.Bool
}

// newApp builds every part in the order in which data flows: stores, who calls,
// engines, desk, sessions, door. Nothing runs until run.
func newApp(ctx context.Context, cfg config, log *slog.Logger) (_ *app, err error) {
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("configuration:\n%w", err)
	}
	a := &app{cfg: cfg, log: log, reg: prometheus.NewRegistry(), node: nodeName()}
	a.models = newModelKeeper(cfg.Models, cfg.data, log)
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	a.reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if err = a.openStores(ctx); err != nil {
		return nil, err
	}
	a.buildAuth()
	a.buildCounter()
	a.crew = giveway.NewCrew(runtime.GOMAXPROCS(0))
	if err = a.buildEconomy(ctx); err != nil {
		return nil, err
	}
	if err = a.buildPenalties(ctx); err != nil {
		return nil, err
	}
	if err = a.buildRecords(); err != nil {
		return nil, err
	}
	if err = a.buildPolicies(ctx); err != nil {
		return nil, err
	}
	if err = a.buildImageBanks(ctx); err != nil {
		return nil, err
	}
	if err = a.buildDesk(); err != nil { //nolint:contextcheck // the lists test themselves, which is short
		return nil, err
	}
	a.buildHooks()
	a.buildBatches()
	a.buildStats()
	return a, a.buildDoors(ctx)
}

// nodeName is unique to this run: a restarted gateway is another owner.
func nodeName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	host, err := os.Hostname()
	if err != nil {
		host = "node"
	}
	return host + "-" + hex.EncodeToString(b[:])
}

func (a *app) openStores(ctx context.Context) error {
	key, err := sqlstore.LoadMasterKey(a.cfg.data)
	if err != nil {
		return err
	}
	a.masterKey = key
	a.db, err = sqlstore.Open(ctx, sqlstore.Config{Dir: a.cfg.data, URL: a.cfg.Database.URL, MasterKey: key, Node: a.node})
	if err != nil {
		return err
	}
	a.redis, err = redisstore.Open(ctx, redisstore.Config{URL: a.cfg.Redis.URL, Node: a.node, Wait: a.cfg.Redis.Wait})
	if err == nil && (a.cfg.Image.Run != dispatch.Local || a.cfg.Audio.Run != dispatch.Local) && a.redis.Shared() {
		a.jobs = a.redis.OpenJobs(ctx)
	}
	return err
}

func (a *app) buildDesk() error {
	t := a.cfg.Text
	second, err := a.readMeaning()
	if err != nil {
		return err
	}
	engine, err := t.engine(second)
	if err != nil {
		return err
	}
	resident.Rest() // compiling the lists leaves more behind than they take
	a.pool, err = engines.NewPool(engines.PoolConfig{
		Name: "text", Engine: inspecting(engine), Slots: max(t.Slots, runtime.GOMAXPROCS(0)), Queue: t.Queue, Deadline: t.Deadline,
		Inline: true, Registry: a.reg, Log: a.log,
	})
	if err != nil {
		return err
	}
	a.names, err = engines.NewPool(engines.PoolConfig{
		Name: "name", Engine: name.Engine{}, Slots: max(t.Slots, runtime.GOMAXPROCS(0)), Queue: t.Queue, Deadline: t.Deadline,
		Inline: true, Registry: a.reg, Log: a.log,
	})
	if err != nil {
		return err
	}
	a.explain = &explainer{engine, a.policies.Set}
	if err = a.buildImages(inspecting(engine)); err != nil {
		return err
	}
	if err = a.buildAudio(inspecting(engine)); err != nil {
		return err
	}
	inspectors := map[engines.Kind][]review.Inspector{engines.KindText: {a.pool}, engines.KindName: {a.pool, a.names}, engines.KindImage: {a.images}, engines.KindAudio: {a.sounds}}
	a.feed = &feed{node: a.node}
	a.desk, err = review.New(a.cfg.Review, review.Deps{
		Inspectors: inspectors, Policies: inForce{a.policies}, Store: a.db,
		Feed: a.feed, Standings: standings{a.economy, a.players}, Profiles: a.players, Witness: a.economy,
		Observers: []review.Observer{checkTold{a}, a.counter, a.penalties, a.players, a.history},
		Evidence:  a.evidence, Files: a.files, Triage: casework.NewRules(a.cfg.Cases),
		Node: a.node, Alone: !a.redis.Shared(), Registry: a.reg, Log: a.log,
	})
	if err != nil {
		return err
	}
	return a.buildStreams()
}

// buildStreams builds the sessions, which ask the desk and which the desk tells
// of late verdicts.
func (a *app) buildStreams() error {
	a.behind = a.redis.NewBehind(func(id engines.SessionID, why redisstore.Lost) {
		if why == redisstore.LostOwnership {
			a.hub.Moved(id)
			return
		}
		a.hub.Lost(id)
	})
	a.listener = a.redis.NewListener(redisstore.Handlers{
		Scene: func(app engines.AppID, scene engines.SceneID, e sceneEntry) { a.hub.Arrived(app, scene, e) },
		Tell:  func(payload []byte) { a.hub.Told(payload) },
		Feed: func(payload []byte) {
			if !a.heardBan(payload) && !a.heardRules(payload) && !a.heardPenalty(payload) && !a.heardErased(payload) && !a.heardWanted(payload) && !a.heardDecision(payload) && !a.heardPolicies(payload) && !a.heardImageBanks(payload) {
				a.feed.heard(payload)
			}
		},

		Missed: func() { a.hub.Missed() },
	})
	if err := a.buildVoice(); err != nil {
		return err
	}
	cfg := a.cfg.Chat
	cfg.Node, cfg.Limits, cfg.StoreWait = a.node, a.cfg.limits(), a.cfg.Redis.Wait
	a.hub = chat.New(cfg, chat.Deps{
		Desk: a.desk, Tickets: a.who, Sessions: a.redis, Logs: a.redis, Behind: a.behind,
		Answers: kept{a.behind, a.redis}, Bus: bus{a.redis, a.listener}, Bans: a.economy,
		Mutes: a.penalties, Players: arrivals{a.players, a.penalties},
		Reports: streamReports{a}, Voice: a.voice, Elsewhere: a.tellElsewhere,
	}, a.reg, a.log)
	a.feed.hub, a.feed.bus = a.hub, a.behind
	a.feed.shared = a.redis.Shared()
	a.desk.Attach(a.hub)
	a.buildCases()
	return nil
}

// buildAuth builds what knows who calls, for both doors.
func (a *app) buildAuth() {
	records := authStore{a.db}
	a.secrets = auth.NewSecrets(records, nil)
	a.who = identities{
		tickets: auth.NewTickets(a.secrets, remembers(a.db, a.redis), seenKey("ticket"), nil),
		tokens:  auth.NewTokens(records, nil),
	}
}

func (a *app) buildDoors(ctx context.Context) error {
	records := authStore{a.db}
	seen := remembers(a.db, a.redis)
	a.setup = auth.NewSetup(a.cfg.data, records, nil)
	options := limit.Options{}
	if a.redis.Shared() {
		options = limit.Options{
			Redis: a.redis.Client(), Key: func(app engines.AppID, c limit.Class) string { return store.LimitKey(app, string(c)) }, Wait: a.cfg.Redis.Wait,
		}
	}
	limiter, err := limit.New(a.cfg.Limits, options)
	if err != nil {
		return err
	}
	cfg := a.cfg.HTTP
	cfg.Limits, cfg.UploadTimeout = a.cfg.limits(), a.cfg.Batches.UploadTimeout
	cfg.ImageBanks = imageBankLimits(&a.cfg.ImageBanks)
	deps := gateway.Deps{
		Verifier: auth.NewVerifier(cfg.Scheme, a.secrets, nil), Tokens: a.who.tokens, Tickets: a.who.tickets,
		Replay: auth.NewReplay(seen, seenKey("signature")), Logins: auth.NewLogins(records, records, records, nil), Setup: a.setup,
		Limiter: limiter, Rates: a.cfg.Limits, Failures: limit.NewFailures(a.cfg.Limits.FailedAuth, nil),
		Desk: a.desk, Cases: a.cases, Streams: a.hub, Voice: calls{a.voice}, Identities: a.who, Economy: a.economy, Catalogue: risk.Catalogue(), Hooks: a.hooks, Rules: a.rules,
		Bulk:     a.crew.Do,
		Policies: a.policies, Batches: a.batches, Stats: a.stats, Reports: a.reports,
		Penalties: a.penalties, Players: a.players, ImageBanks: a.imageBanks, Models: a.models,
		Accept:  a.cfg.accept,
		Answers: a.answers(), Health: a,
		Evidence: a.evidence, Erasures: a.erasures, Records: allRecords{a.db, a}, Audit: auditLog{a.db, a.auditKey}, Users: a.db, Apps: appBook{a.db, a.secrets}, Links: auth.NewLinks(records, nil),
		Explain: a.explain,
		Web:     web.Dist(), CSP: web.ContentSecurityPolicy, OpenAPI: web.OpenAPI(),
	}
	if a.cfg.demo {
		cfg.Demo = true
		if deps.DemoApp, err = a.makeDemo(ctx); err != nil {
			return err
		}
		_, deps.DemoScenes = demoPolicy()
	}
	a.door, err = gateway.New(cfg, deps, a.reg, a.log) //nolint:contextcheck // handlers have their request's
	return err
}

// close ends what newApp opened, the last first.
func (a *app) close() error {
	var errs []error
	if a.crew != nil {
		a.crew.Close()
	}
	if a.behind != nil {
		errs = append(errs, a.behind.Close())
	}
	if a.images != nil {
		a.images.Close()
	}
	if a.imageParts != nil {
		errs = append(errs, a.imageParts.close())
	}
	if a.sounds != nil {
		a.sounds.Close()
	}
	if a.audioParts != nil {
		errs = append(errs, a.audioParts.close())
	}
	if a.names != nil {
		a.names.Close()
	}
	if a.pool != nil {
		a.pool.Close()
	}
	errs = append(errs, a.meaning.close(), a.models.close())
	if a.jobs != nil {
		errs = append(errs, a.jobs.Close())
	}
	if a.redis != nil {
		errs = append(errs, a.redis.Close())
	}
	if a.db != nil {
		errs = append(errs, a.db.Close())
	}
	return errors.Join(errs...)
}

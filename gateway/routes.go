package gateway

import (
	"fmt"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/report"
)

// authClass says who may call a route. A route without one does not mount, and a
// test fails the build.
type authClass int

const (
	noClass  authClass = iota
	public             // anybody
	signed             // an app's signature
	checked            // an app's bearer token or signature
	cookie             // a moderator's cookie with the route's permission
	managed            // an app's signature, or a moderator's cookie with the route's permission
	either             // as checked or managed
	bearing            // an app's bearer token alone: its body is too large to be signed
	ticketed           // a player's ticket, which is used up
	onStream           // the upgrade: it asks itself, a hello may bring the token
	local              // the demo: this machine alone, and only in development
)

// route is one URL.
type route struct {
	method, path string
	auth         authClass
	limit        limit.Class     // "" where the app is not known yet
	replay       auth.ReplayRule // of signed routes
	scope        string          // of bearer tokens
	perm         auth.Permission // of moderators; "" is any of them
	raw          bool            // the body is a file, not JSON
	ofAll        bool            // of a managed route whose answer is no app's: a moderator names none
	handle       func(*call) error
}

// routes is the whole URL list below /api/v1.
func (g *Gateway) routes() []route {
	list := []route{
		{method: "POST", path: "/auth/token", auth: signed, limit: limit.Mint, replay: auth.ReplayNonce, handle: g.mintToken},
		{method: "POST", path: "/auth/ticket", auth: signed, limit: limit.Mint, replay: auth.ReplayNonce, handle: g.mintTicket},
		{method: "POST", path: "/auth/setup", auth: public, handle: g.setup},
		{method: "POST", path: "/auth/login", auth: public, handle: g.login},
		{method: "POST", path: "/auth/logout", auth: cookie, handle: g.logout},
		{method: "GET", path: "/auth/me", auth: public, handle: g.me},

		{method: "POST", path: "/text/check", auth: checked, limit: limit.Check, scope: auth.ScopeCheck, handle: g.checkText},
		{method: "POST", path: "/name/check", auth: checked, limit: limit.Check, scope: auth.ScopeCheck, handle: g.checkName},
		{method: "POST", path: "/fields/check", auth: checked, limit: limit.Check, scope: auth.ScopeCheck, handle: g.checkFields},
		{method: "POST", path: "/image/check", auth: bearing, limit: limit.Check, scope: auth.ScopeCheck, handle: g.checkImage},
		{method: "POST", path: "/audio/check", auth: bearing, limit: limit.Check, scope: auth.ScopeCheck, handle: g.checkAudio},
		{method: "POST", path: "/batches", auth: checked, limit: limit.Action, replay: auth.ReplayKeyed, scope: auth.ScopeCheck, handle: g.postBatch},
		{method: "GET", path: "/batches", auth: either, limit: limit.Query, scope: auth.ScopeCheck, perm: auth.SeeCases, handle: g.listBatches},
		{method: "GET", path: "/batches/:id", auth: either, limit: limit.Query, scope: auth.ScopeCheck, perm: auth.SeeCases, handle: g.batch},
		{method: "GET", path: "/batches/:id/results", auth: either, limit: limit.Query, scope: auth.ScopeCheck, perm: auth.SeeCases, handle: g.batchResults},
		{method: "DELETE", path: "/batches/:id", auth: either, limit: limit.Action, replay: auth.ReplayKeyed, scope: auth.ScopeCheck, perm: auth.ManageKeys, handle: g.cancelBatch},
		{method: "GET", path: "/checks/:id", auth: checked, limit: limit.Query, scope: auth.ScopeCheck, handle: g.checkResult},
		{method: "POST", path: "/economy/currency-log", auth: signed, limit: limit.Log, replay: auth.ReplayKeyed, handle: g.submit(economy.Currency)},
		{method: "POST", path: "/economy/item-log", auth: signed, limit: limit.Log, replay: auth.ReplayKeyed, handle: g.submit(economy.Item)},
		{method: "POST", path: "/economy/trade-log", auth: signed, limit: limit.Log, replay: auth.ReplayKeyed, handle: g.submit(economy.Trade)},
		{method: "GET", path: "/economy/catalogue", auth: public, handle: g.catalogue},
		{method: "GET", path: "/economy/risk-score", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.riskScore},
		// It changes nothing, so that its repeat is harmless, though it is no GET.
		{method: "POST", path: "/economy/evaluate-trade", auth: signed, limit: limit.Query, replay: auth.ReplayKeyed, handle: g.evaluateTrade},
		{method: "POST", path: "/economy/ban", auth: managed, limit: limit.Action, replay: auth.ReplayAnswered, perm: auth.Punish, handle: g.ban},
		{method: "DELETE", path: "/economy/ban", auth: managed, limit: limit.Action, replay: auth.ReplayAnswered, perm: auth.Punish, handle: g.lift},
		{method: "GET", path: "/economy/bans", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.listBans},
		{method: "GET", path: "/economy/players/:id/timeline", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.timeline},
		{method: "GET", path: "/economy/players/:id/web", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.web},
		{method: "PUT", path: "/economy/players/:id/override", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.Punish, handle: g.overrideRisk},

		{method: "GET", path: "/webhooks", auth: managed, limit: limit.Admin, perm: auth.ManageKeys, handle: g.listHooks},
		{method: "PUT", path: "/webhooks", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.ManageKeys, handle: g.putHooks},
		{method: "GET", path: "/webhooks/:id/deliveries", auth: managed, limit: limit.Admin, perm: auth.ManageKeys, handle: g.listDeliveries},
		{method: "POST", path: "/webhooks/:id/deliveries/:delivery/resend", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.ManageKeys, handle: g.resend},
		{method: "POST", path: "/webhooks/:id/test", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.ManageKeys, handle: g.testHook},

		{method: "GET", path: "/economy/rules", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.listRules},
		{method: "POST", path: "/economy/rules/try", auth: managed, limit: limit.Query, replay: auth.ReplayKeyed, perm: auth.SeePolicy, handle: g.tryRule},
		{method: "GET", path: "/economy/rules/:name", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.rule},
		{method: "PUT", path: "/economy/rules/:name", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.putRule},
		{method: "GET", path: "/economy/rules/:name/history", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.ruleHistory},
		{method: "GET", path: "/economy/rules/:name/stats", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.ruleStats},
		{method: "POST", path: "/economy/rules/:name/snooze", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.snoozeRule},
		{method: "POST", path: "/economy/rules/:name/backtest", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.backtestRule},
		{method: "GET", path: "/economy/rules/:name/backtest/:id", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.backtestResult},

		{method: "GET", path: "/stats/volume", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("volume")},
		{method: "GET", path: "/stats/categories", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("categories")},
		{method: "GET", path: "/stats/languages", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("languages")},
		{method: "GET", path: "/stats/scenes", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("scenes")},
		{method: "GET", path: "/stats/modes", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("modes")},
		{method: "GET", path: "/stats/engines", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("engines")},
		{method: "GET", path: "/stats/latency", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("latency")},
		{method: "GET", path: "/stats/trends", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("trends")},
		{method: "GET", path: "/stats/accuracy", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("accuracy")},
		{method: "GET", path: "/stats/queue", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("queue")},
		{method: "GET", path: "/stats/economy", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.stats("economy")},
		{method: "GET", path: "/reports/runs", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.listRuns},
		{method: "GET", path: "/reports/operations", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.makeReport(report.Operations)},
		{method: "GET", path: "/reports/transparency", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.makeReport(report.Transparency)},
		{method: "GET", path: "/reports/schedules", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.listSchedules},
		{method: "PUT", path: "/reports/schedules", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.putSchedules},
		{method: "GET", path: "/reports/runs/:id", auth: managed, limit: limit.Query, perm: auth.SeeStats, handle: g.storedReport},
		{method: "PUT", path: "/players/:id", auth: managed, limit: limit.Query, replay: auth.ReplayNonce, perm: auth.Punish, handle: g.putPlayer},
		{method: "GET", path: "/players/:id", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.player},
		{method: "PUT", path: "/players/:id/trust", auth: managed, limit: limit.Action, replay: auth.ReplayNonce, perm: auth.Punish, handle: g.putTrust},
		{method: "GET", path: "/players/:id/timeline", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.playerTimeline},
		{method: "GET", path: "/players/:id/penalties", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.playerPenalties},
		{method: "POST", path: "/players/:id/penalties", auth: managed, limit: limit.Action, replay: auth.ReplayNonce, perm: auth.Punish, handle: g.givePenalty},
		{method: "DELETE", path: "/players/:id/penalties/:penalty_id", auth: managed, limit: limit.Action, replay: auth.ReplayNonce, perm: auth.Punish, handle: g.liftPenalty},
		{method: "GET", path: "/penalties", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.listPenalties},
		{method: "GET", path: "/penalties/ladder", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.ladder},
		{method: "PUT", path: "/penalties/ladder", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.putLadder},
		{method: "GET", path: "/policies", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.listPolicies},
		{method: "GET", path: "/policies/settings", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.policy(settingsKey)},
		{method: "PUT", path: "/policies/settings", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.putPolicy(settingsKey)},
		{method: "POST", path: "/policies/resolve", auth: managed, limit: limit.Query, replay: auth.ReplayKeyed, perm: auth.SeePolicy, handle: g.resolvePolicy},
		{method: "POST", path: "/policies/try", auth: managed, limit: limit.Admin, replay: auth.ReplayKeyed, perm: auth.SeePolicy, handle: g.tryPolicy},
		{method: "POST", path: "/policies/explain", auth: managed, limit: limit.Query, replay: auth.ReplayKeyed, perm: auth.SeePolicy, handle: g.explainText},
		{method: "GET", path: "/policies/backtests", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.policyBacktests},
		{method: "GET", path: "/policies/backtests/:id", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.policyBacktest},
		{method: "GET", path: "/policies/rollouts", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.listRollouts},
		{method: "GET", path: "/policies/:layer/:name", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.policy(pathKey)},
		{method: "PUT", path: "/policies/:layer/:name", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.putPolicy(pathKey)},
		{method: "DELETE", path: "/policies/:layer/:name", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.deletePolicy(pathKey)},
		{method: "GET", path: "/policies/:layer/:name/history", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.policyHistory(pathKey)},
		{method: "GET", path: "/policies/:layer/:name/diff", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.policyDiff(pathKey)},
		{method: "POST", path: "/policies/:layer/:name/return", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.returnPolicy(pathKey)},
		{method: "POST", path: "/policies/:layer/:name/rollouts", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.newRollout},
		{method: "GET", path: "/policies/:layer/:name/rollouts/:id", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.rollout},
		{method: "GET", path: "/policies/:layer/:name/rollouts/:id/tests", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.rolloutTests},
		{method: "POST", path: "/policies/:layer/:name/rollouts/:id/advance", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.order(PolicyRollouts.Advance)},
		{method: "POST", path: "/policies/:layer/:name/rollouts/:id/approve", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.order(PolicyRollouts.Approve)},
		{method: "POST", path: "/policies/:layer/:name/rollouts/:id/pause", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.order(PolicyRollouts.Pause)},
		{method: "POST", path: "/policies/:layer/:name/rollouts/:id/stop", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.order(PolicyRollouts.Stop)},
		{method: "POST", path: "/policies/:layer/:name/rollouts/:id/return", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.order(PolicyRollouts.TakeBack)},
		{method: "GET", path: "/lists", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.listLists},
		{method: "GET", path: "/lists/:name", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.policy(listKey)},
		{method: "PUT", path: "/lists/:name", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.putPolicy(listKey)},
		{method: "DELETE", path: "/lists/:name", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.deletePolicy(listKey)},
		{method: "GET", path: "/lists/:name/history", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.policyHistory(listKey)},
		{method: "GET", path: "/lists/:name/diff", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.policyDiff(listKey)},
		{method: "POST", path: "/lists/:name/return", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.returnPolicy(listKey)},

		{method: "GET", path: "/cases", auth: cookie, perm: auth.SeeCases, handle: g.listCases},
		{method: "GET", path: "/cases/agreement", auth: cookie, perm: auth.SeeStats, handle: g.agreement},
		{method: "POST", path: "/cases/next", auth: cookie, perm: auth.DecideCases, handle: g.nextCase},
		{method: "GET", path: "/cases/:id", auth: cookie, perm: auth.SeeCases, handle: g.readCase},
		{method: "GET", path: "/cases/:id/content", auth: cookie, perm: auth.DecideCases, handle: g.caseContent},
		{method: "POST", path: "/cases/:id/claim", auth: cookie, perm: auth.DecideCases, handle: g.moveCase(casework.Claim)},
		{method: "POST", path: "/cases/:id/renew", auth: cookie, perm: auth.DecideCases, handle: g.moveCase(casework.Renew)},
		{method: "POST", path: "/cases/:id/release", auth: cookie, perm: auth.DecideCases, handle: g.moveCase(casework.Release)},
		{method: "POST", path: "/cases/:id/handover", auth: cookie, perm: auth.DecideCases, handle: g.moveCase(casework.HandOver, "to")},
		{method: "POST", path: "/cases/:id/hold", auth: cookie, perm: auth.DecideCases, handle: g.moveCase(casework.Hold, "until", "reason")},
		{method: "POST", path: "/cases/:id/escalate", auth: cookie, perm: auth.DecideCases, handle: g.moveCase(casework.Escalate, "reason")},
		{method: "POST", path: "/cases/:id/skip", auth: cookie, perm: auth.DecideCases, handle: g.moveCase(casework.Skip, "reason")},
		{method: "POST", path: "/cases/:id/decide", auth: cookie, perm: auth.DecideCases, handle: g.decideCase},
		{method: "POST", path: "/cases/:id/undo", auth: cookie, perm: auth.DecideCases, handle: g.moveCase(casework.Undo, "reason")},
		{method: "GET", path: "/queues", auth: cookie, perm: auth.SeeCases, handle: g.listQueues},
		{method: "GET", path: "/colleagues", auth: cookie, perm: auth.DecideCases, handle: g.colleagues},
		{method: "GET", path: "/me/preferences", auth: cookie, perm: auth.SeeCases, handle: g.preferences},
		{method: "PUT", path: "/me/preferences", auth: cookie, perm: auth.SeeCases, handle: g.putPreferences},
		{method: "POST", path: "/reports", auth: checked, limit: limit.Query, scope: auth.ScopeCheck, handle: g.report},
		{method: "GET", path: "/reports", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.listReports},
		{method: "POST", path: "/appeals", auth: managed, limit: limit.Action, replay: auth.ReplayNonce, perm: auth.DecideCases, handle: g.appeal},
		{method: "GET", path: "/appeals", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.listAppeals},
		{method: "GET", path: "/appeals/:id", auth: managed, limit: limit.Query, perm: auth.SeeCases, handle: g.readAppeal},
		{method: "GET", path: "/status", auth: cookie, perm: auth.SeeFeed, handle: g.status},
		{method: "GET", path: "/models", auth: managed, ofAll: true, limit: limit.Query, perm: auth.SeeFeed, handle: g.models},

		{method: "GET", path: "/limits", auth: public, handle: g.limits},
		{method: "GET", path: "/openapi.yaml", auth: public, handle: g.openapi},
		{method: "GET", path: "/stream", auth: onStream, handle: g.stream},
	}
	list = append(list, g.evidenceRoutes()...)
	list = append(list, g.auditRoutes()...)
	list = append(list, g.userRoutes()...)
	list = append(list, g.appRoutes()...)
	list = append(list, g.erasureRoutes()...)
	list = append(list, g.imageBankRoutes()...)
	list = append(list, g.voiceRoutes()...)
	if g.cfg.Demo {
		list = append(list,
			route{method: "POST", path: "/demo/session", auth: local, handle: g.demoSession},
			route{method: "POST", path: "/demo/explain", auth: local, handle: g.demoExplain})
	}
	return list
}

// mount makes every URL that there is.
func (g *Gateway) mount() error {
	if err := g.mountAll(g.routes()); err != nil {
		return err
	}
	g.app.Get("/healthz", func(c *fiber.Ctx) error { return c.SendString("ok\n") })
	g.app.Get("/readyz", g.readyz)
	g.pages()
	return nil
}

// mountAll puts every route of list behind the checks that its class asks for.
func (g *Gateway) mountAll(list []route) error {
	api := g.app.Group("/api/v1")
	for _, r := range list {
		if r.auth == noClass || r.handle == nil {
			return fmt.Errorf("gateway: route %s %s has no authentication class or no handler", r.method, r.path)
		}
		api.Add(r.method, r.path, g.guard(r))
	}
	return nil
}

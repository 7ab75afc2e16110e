package main

import (
	"context"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/gateway"
)

// probeWithin bounds one probe of a store.
const probeWithin = 2 * time.Second

// Report says how the parts are. It is ready while requests are welcome: the
// durable store commits and nobody is draining. Without Redis the gateway goes
// on from memory and is degraded.
func (a *app) Report(ctx context.Context) gateway.Report {
	ctx, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()
	durable := component("database", a.db.Driver(), a.db.Ping(ctx))
	live := gateway.Component{Name: "redis", State: "ok", Detail: "shared"}
	if !a.redis.Shared() {
		live.Detail = "embedded: state is in memory and ends with this process"
	}
	if !a.redis.Healthy() {
		live.State, live.Detail = "degraded", "not answering: sessions go on from memory and can't be resumed elsewhere"
	}
	door := gateway.Component{Name: "stream", State: "ok", Detail: strconv.Itoa(a.hub.Sessions()) + " sessions"}
	if a.draining.Load() {
		door.State, door.Detail = "down", "draining"
	}
	report := gateway.Report{
		Ready:    durable.State == "ok" && !a.draining.Load(),
		Degraded: live.State != "ok" || durable.State != "ok",
		Version:  buildVersion(),
		Components: []gateway.Component{
			durable, live, door, a.voiceComponent(),
			a.textComponent(),
			a.imageComponent(),
			a.audioComponent(),
			{Name: "engine:video", State: "absent", Detail: "not in this version: video is not checked"},
			a.models.component(),
		},
	}
	for _, workers := range a.workersComponents(ctx) {
		report.Components = append(report.Components, workers)
		report.Degraded = report.Degraded || workers.State != "ok"
	}
	a.loads(report.Components)
	return report
}

// textComponent says what texts are read for.
func (a *app) textComponent() gateway.Component {
	n := len(a.explain.engine.Languages())
	return gateway.Component{Name: "engine:text", State: "ok", Detail: "rules, a model, and word lists for " + strconv.Itoa(n) + " languages"}
}

// loads says of each engine that has a pool here how busy it is.
func (a *app) loads(parts []gateway.Component) {
	pools := map[string]*engines.Pool{"engine:text": a.pool, "engine:image": a.images, "engine:audio": a.sounds.files}
	for i := range parts {
		if p := pools[parts[i].Name]; p != nil {
			load := p.Load()
			parts[i].Load = &load
		}
	}
}

func component(name, detail string, err error) gateway.Component {
	if err != nil {
		return gateway.Component{Name: name, State: "down", Detail: detail + ": does not commit"}
	}
	return gateway.Component{Name: name, State: "ok", Detail: detail}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/dispatch"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
)

// workerAdmin is where a worker tells how it is, beside a gateway's own on one machine.
const workerAdmin = "127.0.0.1:9091"

// worker takes jobs of gateways until ctx ends, and ends with those that it has.
func worker(ctx context.Context, args []string, io std) error {
	f := newFlags("worker", io)
	which := f.String("engines", "", "what to look at, divided by commas: image, audio")
	slots := f.Int("slots", 0, "jobs at once (default: one for each processor)")
	admin := f.String("admin", workerAdmin, "address of metrics and health")
	file := f.String("config", "", "configuration file: redis.url, image, audio, models and log count")
	if err := parse(f, args); err != nil {
		return err
	}
	kinds, err := workerKinds(*which)
	if err != nil {
		return err
	}
	if *slots < 0 {
		return badUsage("--slots must not be negative")
	}
	cfg, err := loadConfig(*file, os.Environ())
	err = errors.Join(err, cfg.Image.validate(), cfg.Audio.validate(), redisNeeded(&cfg))
	level, levelErr := cfg.level()
	if err := errors.Join(err, levelErr); err != nil {
		return fmt.Errorf("configuration:\n%w", err)
	}
	if *slots > 0 {
		cfg.Image.Slots, cfg.Audio.Slots = *slots, *slots
	}
	pace(0)
	log := slog.New(slog.NewJSONHandler(io.err, &slog.HandlerOptions{Level: level}))
	return newWorkers(&cfg, log).run(ctx, kinds, *admin)
}

func redisNeeded(cfg *config) error {
	if cfg.Redis.URL == "" {
		return errors.New("redis.url: a worker takes its jobs from the Redis of its gateways (PORTCULLIS_REDIS_URL)")
	}
	return nil
}

// workerKinds reads --engines.
func workerKinds(list string) ([]engines.Kind, error) {
	var kinds []engines.Kind
	for k := range strings.SplitSeq(list, ",") {
		switch kind := engines.Kind(strings.TrimSpace(k)); {
		case kind == "":
			return nil, badUsage("--engines must name what to look at: image, audio")
		case !slices.Contains(awayKinds, kind):
			return nil, badUsage("--engines: %q is not image or audio", kind)
		case !slices.Contains(kinds, kind):
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}

// workerPart is what a worker has of one kind.
type workerPart struct {
	kind       engines.Kind
	engine     engines.Engine
	slots      int
	has, lacks []string
	close      func() error
	worker     *dispatch.Worker
}

// load loads what looks at a kind.
func (w *workers) load(kind engines.Kind) (*workerPart, error) {
	if kind == engines.KindAudio {
		p := newAudioParts(&w.cfg.Audio, w.models)
		e, err := p.engine()
		return &workerPart{kind: kind, engine: e, slots: w.cfg.Audio.slots(), has: p.has, lacks: p.lacks, close: p.close}, err
	}
	p := newImageParts(&w.cfg.Image, w.models)
	e, err := p.engine(&w.cfg.Image)
	return &workerPart{kind: kind, engine: e, slots: w.cfg.Image.slots(), has: p.has, lacks: p.lacks, close: p.close}, err
}

// workers is one process's.
type workers struct {
	cfg      *config
	log      *slog.Logger
	reg      *prometheus.Registry
	id       string
	jobs     *redisstore.Jobs
	models   *modelKeeper
	parts    []*workerPart
	draining atomic.Bool
}

func newWorkers(cfg *config, log *slog.Logger) *workers {
	w := &workers{cfg: cfg, log: log, reg: prometheus.NewRegistry(), id: nodeName()}
	w.reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return w
}

func (w *workers) run(ctx context.Context, kinds []engines.Kind, admin string) (err error) {
	redis, err := redisstore.Open(ctx, redisstore.Config{URL: w.cfg.Redis.URL, Node: w.id, Wait: w.cfg.Redis.Wait})
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	defer func() { err = errors.Join(err, redis.Close()) }()
	w.jobs = redis.OpenJobs(ctx)
	defer func() { err = errors.Join(err, w.jobs.Close()) }()
	w.models = newModelKeeper(w.cfg.Models, w.cfg.data, w.log)
	defer func() { err = errors.Join(err, w.models.close()) }()
	defer func() {
		for _, p := range w.parts {
			err = errors.Join(err, p.close())
		}
	}()
	for _, kind := range kinds {
		if err := w.add(kind); err != nil {
			return err
		}
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", admin)
	if err != nil {
		return fmt.Errorf("listen (admin): %w", err)
	}
	server := gateway.Admin(w, w.reg)
	var door, work sync.WaitGroup
	door.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			w.log.ErrorContext(ctx, "metrics and health are not answered", "err", err)
		}
	})
	for _, one := range w.parts {
		work.Go(func() { one.worker.Serve(ctx) })
	}
	w.log.InfoContext(ctx, "working", "admin", listener.Addr().String(), "engines", kinds, "slots", w.slots(), "worker", w.id, "version", buildVersion())
	<-ctx.Done()
	w.draining.Store(true)
	w.log.InfoContext(ctx, "going down")
	work.Wait()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	err = server.Shutdown(stop)
	door.Wait()
	w.log.InfoContext(ctx, "stopped")
	return err
}

// slots is how many jobs of all kinds are done at once.
func (w *workers) slots() (n int) {
	for _, p := range w.parts {
		n += p.slots
	}
	return n
}

// add loads the engine of a kind.
func (w *workers) add(kind engines.Kind) error {
	p, err := w.load(kind)
	w.parts = append(w.parts, p) // which is closed also where it is of no use
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	p.worker, err = dispatch.NewWorker(dispatch.WorkerConfig{
		Kind: kind, Engine: p.engine, ID: w.id, Model: strings.Join(p.has, ", "), Version: buildVersion(), Slots: p.slots,
		Inbox: w.jobs, Answers: w.jobs, Presence: w.jobs, Registry: w.reg, Log: w.log,
	})
	return err //nolint:wrapcheck // it names itself
}

// Report says how the worker is: ready while Redis answers and it takes jobs.
func (w *workers) Report(context.Context) gateway.Report {
	queue := gateway.Component{Name: "redis", State: "ok", Detail: "jobs can be taken"}
	if !w.jobs.Healthy() {
		queue.State, queue.Detail = "down", "not answering: no job can be taken"
	}
	report := gateway.Report{Ready: queue.State == "ok" && !w.draining.Load(), Version: buildVersion(), Components: []gateway.Component{queue}}
	for _, p := range w.parts {
		engine := p.component()
		if w.draining.Load() {
			engine.State, engine.Detail = "down", "draining"
		}
		report.Degraded = report.Degraded || engine.State != "ok"
		report.Components = append(report.Components, engine)
	}
	report.Components = append(report.Components, gateway.Component{Name: "processors", State: "ok", Detail: strconv.Itoa(runtime.GOMAXPROCS(0))})
	return report
}

// component says how a kind is looked at.
func (p *workerPart) component() gateway.Component {
	c := gateway.Component{
		Name: "engine:" + string(p.kind), State: "ok",
		Detail: strconv.Itoa(p.slots) + " slots, " + strconv.FormatUint(p.worker.Served(), 10) + " jobs answered; looks for: " + strings.Join(p.has, ", "),
	}
	if len(p.lacks) > 0 {
		c.State = "degraded"
		c.Detail += "; not in this build, not detected: " + strings.Join(p.lacks, ", ")
	}
	return c
}

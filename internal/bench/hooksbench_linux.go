package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const hooksUsage = `Usage: portcullis bench webhooks [flags]

Measures how long it takes from a check's verdict, which is committed with what
webhooks are to tell of it, to the request at a receiver that answers at once.

`

// hooksOptions are the flags of `bench webhooks`.
type hooksOptions struct {
	rate          float64
	duration      time.Duration
	asJSON, goals bool
	servers
}

func parseHooksOptions(args []string, stderr io.Writer) (*hooksOptions, error) {
	o := &hooksOptions{}
	f := flag.NewFlagSet("bench webhooks", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, hooksUsage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.Float64Var(&o.rate, "rate", 50, "submitted checks a second, each of which is told")
	f.DurationVar(&o.duration, "duration", 20*time.Second, "how long they are submitted")
	o.servers.flags(f)
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.goals, "goals", false, "print the project's goals beside the figures")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	errs := []error{o.validate()}
	bad := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf("bench webhooks: "+format, args...))
		}
	}
	bad(f.NArg() > 0, "unexpected argument %q", f.Arg(0))
	bad(o.rate <= 0 || o.rate > 1000, "--rate: must be positive and at most 1000")
	bad(o.duration <= 0 || o.duration > time.Hour, "--duration: must be positive and at most 1h")
	return o, errors.Join(errs...)
}

// HooksReport is what one run of `bench webhooks` found. Latencies are in microseconds;
// what they count from is known to the millisecond.
type HooksReport struct {
	Rate    float64  `json:"rate"`
	Sent    int      `json:"sent"`
	Told    int      `json:"told"`
	Twice   int      `json:"told_twice"`
	Latency *Latency `json:"latency_us"`
	Goals   []Goal   `json:"goals,omitempty"`
}

// listener is a receiver that answers at once and notes what came when.
type listener struct {
	mu    sync.Mutex
	times histogram
	seen  map[string]int // by subject
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	var e struct {
		Type, Subject string
		Time          time.Time
	}
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
	if e.Type != "check.done" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[e.Subject]++
	l.times.add(now.Sub(e.Time))
}

func (l *listener) told() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.seen)
}

func hooksBenchMain(ctx context.Context, args []string, stdout, stderr io.Writer, self string) (err error) {
	o, err := parseHooksOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	dir, in, done, err := o.workplace(ctx)
	if err != nil {
		return fmt.Errorf("bench webhooks: %w", err)
	}
	defer func() { err = errors.Join(err, done()) }()
	const local = "webhooks: {allow_private: true, allow_http: true}\n"
	config := filepath.Join(dir, "portcullis.yaml")
	if in.database != "" {
		config, err = in.configure(dir, local)
	} else {
		err = os.WriteFile(config, []byte(local), 0o600)
	}
	if err != nil {
		return fmt.Errorf("bench webhooks: %w", err)
	}
	_, _ = fmt.Fprintln(stderr, "starting a gateway …") // progress
	server, g, err := startGateway(ctx, self, place{dir, config})
	if err != nil {
		return fmt.Errorf("bench webhooks: %w", err)
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	report, err := o.measure(ctx, newCaller(g, 64))
	if err != nil {
		return fmt.Errorf("bench webhooks: %w", errors.Join(err, server.ended()))
	}
	if o.goals {
		goal := Goal{Name: "p99 from the verdict to the receiver", Limit: 1000, Value: report.Latency.P99 / 1000, Verdict: "met"}
		if goal.Value > goal.Limit {
			goal.Verdict = "missed"
		}
		goal.Figure = fmt.Sprintf("%.4g ms, at most %.4g", goal.Value, goal.Limit)
		report.Goals = []Goal{goal}
	}
	return report.print(stdout, o.asJSON)
}

func (o *hooksOptions) measure(ctx context.Context, c *caller) (*HooksReport, error) {
	l := &listener{seen: map[string]int{}}
	receiver := httptest.NewServer(l)
	defer receiver.Close()
	hooks := []byte(`{"webhooks":[{"url":"` + receiver.URL + `","events":["check.done"]}]}`)
	if err := c.send(ctx, http.MethodPut, "/api/v1/webhooks", hooks, c.signOnce(http.MethodPut, "/api/v1/webhooks", hooks), &struct{}{}); err != nil {
		return nil, err
	}
	n := max(1, int(o.rate*o.duration.Seconds()))
	p := &paced{}
	err := p.run(ctx, o.duration, n, func(i int) error {
		body := fmt.Appendf(nil, `{"content":"see you at the bridge in %d minutes","options":{"async":true}}`, i)
		return c.call(ctx, http.MethodPost, "/api/v1/text/check", body, &struct{}{})
	})
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(time.Minute); l.told() < n; {
		if time.Now().After(end) {
			return nil, fmt.Errorf("%d of %d events came within a minute", l.told(), n)
		}
		if err := sleep(ctx, 10*time.Millisecond); err != nil {
			return nil, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := &HooksReport{Rate: o.rate, Sent: n, Told: len(l.seen), Latency: latency(&l.times)}
	for _, times := range l.seen {
		if times > 1 {
			r.Twice++
		}
	}
	return r, nil
}

func (r *HooksReport) print(w io.Writer, asJSON bool) error {
	var b strings.Builder
	if asJSON {
		enc := json.NewEncoder(&b)
		enc.SetIndent("", "  ")
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("bench webhooks: %w", err)
		}
	} else {
		ms := func(us float64) float64 { return us / 1000 }
		fmt.Fprintf(&b, "%d checks at %.0f/s, %d told, %d of them twice\n", r.Sent, r.Rate, r.Told, r.Twice)
		fmt.Fprintf(&b, "from the verdict to the receiver: p50 %.0f ms, p99 %.0f ms, p99.9 %.0f ms, at most %.0f ms\n",
			ms(r.Latency.P50), ms(r.Latency.P99), ms(r.Latency.P999), ms(r.Latency.Max))
		for _, g := range r.Goals {
			fmt.Fprintf(&b, "%-8s %s: %s\n", g.Verdict, g.Name, g.Figure)
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("bench webhooks: print: %w", err)
	}
	return nil
}

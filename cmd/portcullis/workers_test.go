package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// pictureOf is a request to check a picture in which toldEngine finds these.
func pictureOf(t *testing.T, finds ...string) string {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, drawn()); err != nil {
		t.Fatal(err)
	}
	whole := bytes.Clone(file.Bytes()[:33]) // signature and IHDR
	for _, f := range finds {
		whole = append(whole, told(f)...)
	}
	whole = append(whole, file.Bytes()[33:]...)
	return `{"use":"upload","content_base64":"` + base64.StdEncoding.EncodeToString(whole) + `"}`
}

// startWorker starts a worker of its own process, which ends with the test.
func startWorker(t *testing.T, env []string, engines string) *process {
	t.Helper()
	p, err := startRole(append(cleanEnvironment(), env...), "", []string{"worker", "--engines", engines, "--slots", "2", "--admin", "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.kill(); err != nil {
			t.Errorf("clean up: %v", err)
		}
		if log := p.log.String(); strings.Contains(log, "DATA RACE") {
			t.Errorf("the worker's log:\n%s", log)
		}
	})
	return p
}

// TestWorkers: pictures are looked at by workers, one of which is killed in mid-job; no
// verdict is lost, and without workers, or Redis, none passes in silence.
func TestWorkers(t *testing.T) {
	t.Parallel()
	game, gw, redis, env := atWorkersAlone(t, "IMAGE")

	// Nobody is there to look.
	got := game.must(t, 200, "POST", "image/check", pictureOf(t, "shows gore", "reads alone"))
	wants(t, got, "result.suggestion", "review")
	wants(t, got, "result.degraded", true)

	workers := map[int]*process{}
	for range 2 {
		w := startWorker(t, env, "image")
		workers[w.cmd.Process.Pid] = w
	}
	got = game.must(t, 200, "POST", "image/check", pictureOf(t, "shows gore"))
	wants(t, got, "result.suggestion", "block")
	wants(t, got, "result.label.0.category", "gore")
	wants(t, got, "result.media.width", float64(64))
	// The gateway reads the words that a worker saw.
	got = game.must(t, 200, "POST", "image/check", pictureOf(t, "reads go kill yourself you worthless faggot"))
	wants(t, got, "result.suggestion", "block")
	// What is wrong with a picture is still the sender's to know.
	game.must(t, 415, "POST", "image/check", `{"content_base64":"`+base64.StdEncoding.EncodeToString([]byte("no picture at all"))+`"}`)
	eventually(t, "health tells of the workers", func() bool { // each says that it is there once a second
		health := adminPage(t, gw, "/readyz")
		return strings.Contains(health, "workers:image") && strings.Contains(health, "2 workers")
	})

	// One of the two dies of SIGKILL with a picture in hand.
	got = killHolder(t, game, workers, "image/check", func(mark string) string { return pictureOf(t, "holds "+mark, "shows gore") })
	wants(t, got, "result.suggestion", "block")

	// The other ends in peace; then Redis goes.
	for _, w := range workers {
		if health := adminPage(t, w, "/metrics"); !strings.Contains(health, "portcullis_worker_jobs_total") {
			t.Error("the worker's metrics do not tell of its jobs")
		}
		if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := w.wait(); err != nil {
			t.Fatal(err)
		}
	}
	if err := redis.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	got = game.must(t, 200, "POST", "image/check", pictureOf(t, "shows gore", "reads nobody"))
	wants(t, got, "result.suggestion", "review")
	wants(t, got, "result.degraded", true)
}

// TestWorkersOrGateway: with both, the gateway looks while nobody else does.
func TestWorkersOrGateway(t *testing.T) {
	t.Parallel()
	env := []string{"PORTCULLIS_REDIS_URL=" + startRedis(t).url, "PORTCULLIS_IMAGE_RUN=both", "PORTCULLIS_IMAGE_DEADLINE=9s"}
	dir := t.TempDir()
	gw := serveProcess(t, env, "--data", dir)
	game := newCaller(t, gw, env, dir)
	token, _ := game.must(t, 200, "POST", "auth/token", `{}`)["access_token"].(string)
	game.bearer = token
	wants(t, game.must(t, 200, "POST", "image/check", pictureOf(t, "shows gore")), "result.suggestion", "block")
	w := startWorker(t, env, "image")
	jobs := func() bool {
		return strings.Contains(adminPage(t, w, "/metrics"), `portcullis_worker_jobs_total{kind="image",lane="rt",outcome="done"}`)
	}
	for i := 0; !jobs(); i++ {
		if i > 2000 {
			t.Fatal("the worker gets no picture")
		}
		wants(t, game.must(t, 200, "POST", "image/check", pictureOf(t, "shows gore", fmt.Sprint("reads ", i))), "result.suggestion", "block")
		time.Sleep(20 * time.Millisecond)
	}
}

// TestWorkerUsage: calls that can't work say why.
func TestWorkerUsage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, want string }{
		{"worker", "--engines must name"},
		{"worker --engines teleport", `"teleport" is not image or audio`},
		{"worker --engines image", "redis.url"},
	} {
		var errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(test.args), std{nil, io.Discard, &errs}); code == 0 || !strings.Contains(errs.String(), test.want) {
			t.Errorf("portcullis %s: exit %d, %q; want %q", test.args, code, errs.String(), test.want)
		}
	}
}

func wants(t *testing.T, got map[string]any, path string, want any) {
	t.Helper()
	if v, _ := member(got, path); v != want {
		t.Errorf("%s = %v, want %v: %v", path, v, want, got)
	}
}

func adminPage(t *testing.T, p *process, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.admin+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// killHolder asks for a check, whose body is made for a file in which the worker that
// takes it leaves its process's id, kills that worker, and returns the answer, which is
// not degraded.
func killHolder(t *testing.T, game *caller, workers map[int]*process, target string, body func(mark string) string) map[string]any {
	t.Helper()
	mark := filepath.Join(t.TempDir(), "holder")
	verdict := make(chan answer, 1)
	failed := make(chan error, 1)
	asked := body(mark)
	go func() {
		a, err := game.call(t.Context(), "POST", target, asked)
		if err != nil {
			failed <- err
			return
		}
		verdict <- a
	}()
	holder := 0
	for until := time.Now().Add(patience); holder == 0; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(mark)
		holder, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		if time.Now().After(until) {
			t.Fatal("no worker takes the job")
		}
	}
	if workers[holder] == nil {
		t.Fatalf("process %d took the job, which is no worker", holder)
	}
	if err := workers[holder].kill(); err != nil {
		t.Fatal(err)
	}
	delete(workers, holder)
	select {
	case a := <-verdict:
		got := object(t, a.body)
		if _, degraded := member(got, "result.degraded"); degraded {
			t.Errorf("the verdict is degraded: %s", a.body)
		}
		return got
	case err := <-failed:
		t.Fatal(err)
	case <-time.After(patience):
		t.Fatal("no verdict")
	}
	return nil
}

// heardIn is a request to check a sound in which toldEngine finds these.
func heardIn(t *testing.T, findings ...string) string {
	t.Helper()
	b, err := soundOf("murmur", findings...)
	if err != nil {
		t.Fatal(err)
	}
	return `{"content_base64":"` + base64.StdEncoding.EncodeToString(b) + `"}`
}

// atWorkersAlone is a game at a gateway that leaves a kind of content to workers, and the
// environment of those.
func atWorkersAlone(t *testing.T, kind string) (game *caller, gw *process, redis *redisServer, env []string) {
	t.Helper()
	redis = startRedis(t)
	env = []string{"PORTCULLIS_REDIS_URL=" + redis.url, "PORTCULLIS_" + kind + "_RUN=workers", "PORTCULLIS_" + kind + "_DEADLINE=9s"}
	dir := t.TempDir()
	gw = serveProcess(t, env, "--data", dir)
	game = newCaller(t, gw, env, dir)
	game.bearer, _ = game.must(t, 200, "POST", "auth/token", `{}`)["access_token"].(string)
	return game, gw, redis, env
}

// TestSoundWorkers: sounds are listened to by workers, one of which is killed in mid-job;
// what was said is judged by the gateway, which knows the operator's own words.
func TestSoundWorkers(t *testing.T) {
	t.Parallel()
	game, gw, _, env := atWorkersAlone(t, "AUDIO")

	// Nobody is there to listen.
	got := game.must(t, 200, "POST", "audio/check", heardIn(t, "says hello"))
	wants(t, got, "result.suggestion", "review")
	wants(t, got, "result.degraded", true)

	workers := map[int]*process{}
	for range 2 {
		w := startWorker(t, env, "image,audio")
		workers[w.cmd.Process.Pid] = w
	}
	got = game.must(t, 200, "POST", "audio/check", heardIn(t, "says go kill yourself you worthless faggot"))
	wants(t, got, "result.suggestion", "block")
	wants(t, got, "result.label.0.source", "asr")
	wants(t, got, "result.media.transcript.1.at_ms", float64(800))
	wants(t, got, "result.media.sample_rate", float64(16000))
	// No worker knows what the operator has forbidden.
	token := game.bearer
	game.bearer = ""
	game.change(t, 200, 0, "PUT", "lists/rude", `{"prohibited":[{"term":"zorblax","category":"harassment","action":"block"}]}`)
	game.change(t, 200, 0, "PUT", "policies/global/default", `{"lists":["rude"]}`)
	game.bearer = token
	got = game.must(t, 200, "POST", "audio/check", heardIn(t, "says you are a zorblax"))
	wants(t, got, "result.suggestion", "block")
	wants(t, got, "result.label.0.source", "custom_list")
	// What is wrong with a sound is still the sender's to know.
	game.must(t, 415, "POST", "audio/check", `{"content_base64":"`+base64.StdEncoding.EncodeToString([]byte("no sound at all"))+`"}`)
	eventually(t, "health tells of the workers", func() bool { // each says that it is there once a second
		health := adminPage(t, gw, "/readyz")
		return strings.Contains(health, "workers:audio") && strings.Contains(health, "2 workers")
	})
	got = killHolder(t, game, workers, "audio/check", func(mark string) string {
		return heardIn(t, "holds "+mark, "says go kill yourself you worthless faggot")
	})
	wants(t, got, "result.suggestion", "block")
}

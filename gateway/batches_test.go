package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fakeBatches has one batch of app A, and keeps what came.
type fakeBatches struct {
	got   store.BatchUpload
	body  []byte
	again bool
	err   error // of Submit, when set
	early bool  // Submit refuses before it reads
	by    string
	ended chan struct{} // when set, Submit has a word in it once it has read
}

func (f *fakeBatches) Submit(_ context.Context, u store.BatchUpload) (store.Batch, bool, error) {
	f.got = u
	if f.early {
		return store.Batch{}, false, f.err
	}
	body, err := io.ReadAll(u.Body)
	f.body = body
	if f.ended != nil {
		f.ended <- struct{}{}
	}
	if err == nil {
		err = f.err
	}
	return store.Batch{ID: "bat_1", App: u.App, State: store.BatchQueued, Lines: 3}, f.again, err
}

func (f *fakeBatches) Batch(_ context.Context, app engines.AppID, id string) (store.Batch, error) {
	if app != appA || id != "bat_1" {
		return store.Batch{}, store.ErrNotFound
	}
	return store.Batch{ID: id, App: app, State: store.BatchRunning, Lines: 4, Done: 2, Passed: 1, Errors: 1, Created: time.UnixMilli(1790000000000)}, nil
}

func (f *fakeBatches) Batches(_ context.Context, app engines.AppID, state string, before economy.Mark, most int) ([]store.Batch, error) {
	var list []store.Batch
	for i := range 3 {
		b := store.Batch{ID: fmt.Sprint("bat_", 3-i), App: app, State: state, Created: time.UnixMilli(int64(3 - i))}
		if before == (economy.Mark{}) || b.Created.UnixMilli() < before.At {
			list = append(list, b)
		}
	}
	return list[:min(most, len(list))], nil
}

func (f *fakeBatches) Cancel(ctx context.Context, app engines.AppID, id, by string) (store.Batch, error) {
	f.by = by
	return f.Batch(ctx, app, id)
}

func (*fakeBatches) Results(_ context.Context, _ string, after int, w io.Writer) error {
	for i := after + 1; i <= 2; i++ {
		if _, err := fmt.Fprintf(w, `{"line":%d}`+"\n", i); err != nil {
			return err
		}
	}
	return errors.New("the store went away") // what was sent stays sent
}

func batched(t *testing.T) (*fakeBatches, *door) {
	t.Helper()
	f := &fakeBatches{}
	return f, open(t, func(cfg *Config, deps *Deps) {
		deps.Batches, cfg.UploadTimeout, cfg.Limits.BatchBytes = f, time.Minute, 1<<20
	})
}

const batchTarget = "/api/v1/batches"

// A batch is read as it arrives, whatever its size and form; a signature needs all of
// it first, and so is for those no larger than any body.
func TestPostBatch(t *testing.T) {
	f, d := batched(t)
	bearer := bearerOf(d.token(appA, "check"))
	large := strings.Repeat(`{"kind":"text","content":"hello"}`+"\n", 20_000) // 660 KB, over the 64 KiB of other bodies
	a := d.send("POST", batchTarget, large, bearer, "Idempotency-Key: k", "Content-Type: application/x-ndjson")
	if a.status != 202 || string(f.body) != large || f.got.App != appA || f.got.Key != "k" || f.got.By != "app/app-a" ||
		!strings.Contains(string(a.body), `"batch_id":"bat_1","status":"queued","lines":3`) {
		t.Errorf("%d %s of %+v with %d bytes", a.status, a.body, f.got, len(f.body))
	}
	wantRequestID(t, a)
	chunked := d.request("POST", batchTarget, "", bearer)
	chunked.Body, chunked.ContentLength = io.NopCloser(iotest.HalfReader(strings.NewReader(large))), -1
	if a := d.do(chunked); a.status != 202 || string(f.body) != large {
		t.Errorf("in chunks: %d %s with %d bytes", a.status, a.body, len(f.body))
	}
	f.again = true
	if a := d.send("POST", batchTarget+"/", "x", bearer); a.status != 202 || a.header.Get("Idempotency-Replayed") != "true" || string(f.body) != "x" {
		t.Errorf("again: %d %s", a.status, a.body)
	}
	small := large[:33]
	if a := d.send("POST", batchTarget, small, signature("POST", batchTarget, "", small)); a.status != 202 || string(f.body) != small {
		t.Errorf("signed: %d %s with %q", a.status, a.body, f.body)
	}
	f.got = store.BatchUpload{}
	for name, test := range map[string]struct {
		a    answer
		want wire.Code
	}{
		"signed and large":   {d.send("POST", batchTarget, large, signature("POST", batchTarget, "", large)), wire.TooLarge},
		"another signed":     {d.send("POST", batchTarget, small, signature("POST", batchTarget, "", small+" ")), wire.Unauthenticated},
		"nobody":             {d.send("POST", batchTarget, large), wire.Unauthenticated},
		"a token of nothing": {d.send("POST", batchTarget, large, bearerOf("none")), wire.Unauthenticated},
		"packed":             {d.send("POST", batchTarget, small, bearer, "Content-Encoding: gzip"), wire.Unsupported},
		"a form":             {d.send("POST", batchTarget, small, bearer, "Content-Type: multipart/form-data; boundary=x"), wire.Unsupported},
		"two keys":           {d.send("POST", batchTarget, small, bearer, "Idempotency-Key: a", "Idempotency-Key: b"), wire.InvalidParameter},
		"more than may be":   {d.send("POST", batchTarget, strings.Repeat("x", 1<<20+1), bearer), wire.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, test.a, test.want)
			if f.got.App != "" {
				t.Error("it came through")
			}
		})
	}
}

// What refuses a batch before it has arrived is told all the same, and the connection
// does not go on in the middle of it.
func TestBatchRefusedEarly(t *testing.T) {
	f, d := batched(t)
	bearer := bearerOf(d.token(appA, "check"))
	f.early, f.err = true, wire.Fail(wire.RateLimited, "as many as may be")
	for range 3 {
		wantError(t, d.send("POST", batchTarget, strings.Repeat("{\"kind\":\"text\"}\n", 60_000), bearer), wire.RateLimited)
	}
	p := d.dial()
	p.write([]byte("POST " + batchTarget + " HTTP/1.1\r\nHost: x\r\n" + bearer + "\r\nContent-Length: 20\r\n\r\nGET /api/v1/limits H"))
	if res := p.response(); res.status != 429 {
		t.Errorf("answered %d %s", res.status, res.body)
	}
	p.wantEOF()
}

// A batch that breaks off is none.
func TestBatchThatBreaksOff(t *testing.T) {
	f, d := batched(t)
	bearer := bearerOf(d.token(appA, "check"))
	f.ended = make(chan struct{}, 1)
	p := d.dial()
	p.write([]byte("POST " + batchTarget + " HTTP/1.1\r\nHost: x\r\n" + bearer + "\r\nContent-Length: 40000\r\n\r\n" + strings.Repeat("x", 20_000)))
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	select { // stop closes what it has not heard of yet
	case <-f.ended:
	case <-time.After(time.Minute):
		t.Fatal("it never broke off")
	}
	d.stop() // waits for what is under way
	if len(f.body) != 20_000 {
		t.Errorf("%d bytes came before it broke off", len(f.body))
	}
	if strings.Contains(d.log.String(), "internal error") {
		t.Errorf("a client that goes is an internal error:\n%s", d.log)
	}
}

func TestBatchAnswers(t *testing.T) {
	f, d := batched(t)
	a, b := bearerOf(d.token(appA, "check")), bearerOf(d.token(appB, "check"))
	got := d.send("GET", batchTarget+"/bat_1", "", a)
	if got.status != 200 || !strings.Contains(string(got.body), `"status":"running"`) || !strings.Contains(string(got.body), `"progress":0.5000`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	got = d.send("GET", batchTarget+"/bat_1/results?after=1", "", a)
	if got.status != 200 || string(got.body) != `{"line":2}`+"\n" || got.header.Get("Content-Type") != "application/x-ndjson; charset=utf-8" || got.header.Get("Batch-Status") != "running" {
		t.Errorf("results: %d %q %v", got.status, got.body, got.header)
	}
	for _, target := range []string{"/bat_1", "/bat_1/results", "/none"} {
		wantError(t, d.send("GET", batchTarget+target, "", b), wire.NotFound)
	}
	wantError(t, d.send("DELETE", batchTarget+"/bat_1", "", b), wire.NotFound)
	for _, query := range []string{"?after=-1", "?after=x", "?after=99999999999"} {
		wantError(t, d.send("GET", batchTarget+"/bat_1/results"+query, "", a), wire.InvalidParameter)
	}
	for _, query := range []string{"?status=lost", "?limit=0", "?cursor=x"} {
		wantError(t, d.send("GET", batchTarget+query, "", a), wire.InvalidParameter)
	}
	page := d.send("GET", batchTarget+"?limit=2&status=done", "", a).json(t)
	list, _ := page["batches"].([]any)
	cursor, _ := page["cursor"].(string)
	if len(list) != 2 || cursor == "" {
		t.Fatalf("first page %v", page)
	}
	page = d.send("GET", batchTarget+"?limit=2&status=done&cursor="+cursor, "", a).json(t)
	if list, _ = page["batches"].([]any); len(list) != 1 || page["cursor"] != nil {
		t.Errorf("second page %v", page)
	}

	// A moderator sees an app's, and only who manages it ends one.
	viewer, _ := d.signIn(auth.RoleViewer)
	look := append([]string{viewer}, own...)
	if got := d.send("GET", batchTarget+"/bat_1?app_id=app-a", "", look...); got.status != 200 {
		t.Errorf("a viewer: %d %s", got.status, got.body)
	}
	wantError(t, d.send("GET", batchTarget+"/bat_1", "", look...), wire.InvalidParameter)
	wantError(t, d.send("DELETE", batchTarget+"/bat_1?app_id=app-a", "", look...), wire.Forbidden)
	admin, _ := d.signIn(auth.RoleAdmin)
	if got := d.send("DELETE", batchTarget+"/bat_1?app_id=app-a", "", append([]string{admin}, own...)...); got.status != 200 || f.by != "user-admin" {
		t.Errorf("an admin: %d %s by %q", got.status, got.body, f.by)
	}
	if got := d.send(http.MethodDelete, batchTarget+"/bat_1", "", a); got.status != 200 || f.by != "app/app-a" {
		t.Errorf("the app: %d %s by %q", got.status, got.body, f.by)
	}
}

package storetest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
)

// Jobs runs the suite of the queues between gateways and workers; url is of a server
// that several nodes can reach.
func Jobs(t *testing.T, url func(t *testing.T) string) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(*testing.T, string)
	}{
		{"RoundTrip", testJobRoundTrip},
		{"LargePayload", testJobLargePayload},
		{"Full", testJobFull},
		{"Lanes", testJobLanes},
		{"Withdraw", testJobWithdraw},
		{"Claim", testJobClaim},
		{"Keep", testJobKeep},
		{"Bury", testJobBury},
		{"Foreign", testJobForeign},
		{"Roster", testJobRoster},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, url(t)) })
	}
}

// OpenJobs opens the queues as a node of its own, closed when the test ends.
func OpenJobs(t *testing.T, url, node string) *redisstore.Jobs {
	t.Helper()
	j := OpenRedis(t, url, node).OpenJobs(t.Context())
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return j
}

// newJob makes a job; each test has a kind of its own, and with it queues.
func newJob(kind engines.Kind, node, content string) *store.Job {
	return &store.Job{
		ID: Unique("j"), Kind: kind, Node: node, Version: 7, Content: sha256.Sum256([]byte(content)),
		Meta: []byte("meta\x00\xff"), Payload: []byte(content), TTL: time.Minute,
	}
}

func send(t *testing.T, j *redisstore.Jobs, job *store.Job) (entry string) {
	t.Helper()
	entry, err := j.SendJob(t.Context(), job, 10)
	if err != nil {
		t.Fatalf("SendJob: %v", err)
	}
	return entry
}

func takeOne(t *testing.T, j *redisstore.Jobs, kind engines.Kind) store.JobWork {
	t.Helper()
	for range 100 { // the first call may make the group
		list, err := j.TakeJobs(t.Context(), kind, 1, true, 100*time.Millisecond)
		if err != nil {
			t.Fatalf("TakeJobs: %v", err)
		}
		if len(list) > 0 {
			return list[0]
		}
	}
	t.Fatal("TakeJobs finds no job")
	return store.JobWork{}
}

func testJobRoundTrip(t *testing.T, url string) {
	t.Helper()
	kind, node := engines.Kind(Unique("k")), Unique("g")
	gateway, worker := OpenJobs(t, url, node), OpenJobs(t, url, "")
	job := newJob(kind, node, "content \x00\xff")
	send(t, gateway, job)
	w := takeOne(t, worker, kind)
	if w.ID != job.ID || w.Version != 7 || !bytes.Equal(w.Meta, job.Meta) || !bytes.Equal(w.Payload, job.Payload) ||
		w.Content != job.Content || w.Node != node || w.Lane != store.Prompt || w.Gone || w.Deliveries != 1 || w.Deaths != 0 {
		t.Errorf("TakeJobs = %+v, want %+v", w, *job)
	}
	if w.Left <= 50*time.Second || w.Left > time.Minute {
		t.Errorf("Left = %v, want about a minute", w.Left)
	}
	reply := store.JobReply{Job: w.ID, Status: store.JobDone, Body: []byte("body\x00\xff")}
	if err := worker.AnswerJob(t.Context(), &w, reply); err != nil {
		t.Fatal(err)
	}
	if err := worker.FinishJob(t.Context(), &w); err != nil {
		t.Fatal(err)
	}
	list, last, err := gateway.Replies(t.Context(), kind, "", time.Second)
	if err != nil || len(list) != 1 || list[0].Job != job.ID || list[0].Status != store.JobDone || !bytes.Equal(list[0].Body, reply.Body) || list[0].Worker == "" {
		t.Fatalf("Replies = %+v, %v", list, err)
	}
	if list, again, err := gateway.Replies(t.Context(), kind, last, time.Millisecond); len(list) != 0 || err != nil || again != last {
		t.Errorf("Replies after the last = %v, %q, %v; want none", list, again, err)
	}
	if qs, err := gateway.JobQueues(t.Context(), kind); err != nil || qs[0].Waiting != 0 || qs[0].Running != 0 {
		t.Errorf("JobQueues = %+v, %v; want empty ones", qs, err)
	}
}

func testJobLargePayload(t *testing.T, url string) {
	t.Helper()
	kind, node := engines.Kind(Unique("k")), Unique("g")
	gateway, worker := OpenJobs(t, url, node), OpenJobs(t, url, "")
	job := newJob(kind, node, string(bytes.Repeat([]byte("x"), 3<<20)))
	send(t, gateway, job)
	w := takeOne(t, worker, kind)
	if !bytes.Equal(w.Payload, job.Payload) || w.Gone {
		t.Fatalf("a payload of %d bytes came as %d, gone %v", len(job.Payload), len(w.Payload), w.Gone)
	}
	if err := worker.FinishJob(t.Context(), &w); err != nil {
		t.Fatal(err)
	}
	// One that is withdrawn after a worker died with it is gone, and says so.
	entry := send(t, gateway, job)
	if w = takeOne(t, worker, kind); w.Gone {
		t.Error("Gone before it was withdrawn")
	}
	if err := gateway.WithdrawJob(t.Context(), job, entry); err != nil {
		t.Fatal(err)
	}
	other := OpenJobs(t, url, "")
	list, err := other.ClaimJobs(t.Context(), kind, store.Prompt, 0, 10, func(string) bool { return false })
	if err != nil || len(list) != 1 || !list[0].Gone {
		t.Errorf("ClaimJobs = %+v, %v; want one that is gone", list, err)
	}
}

func testJobFull(t *testing.T, url string) {
	t.Helper()
	kind, node := engines.Kind(Unique("k")), Unique("g")
	j := OpenJobs(t, url, node)
	large := string(make([]byte, store.InlinePayload+1))
	for _, content := range []string{"small", large} {
		for range 2 {
			if _, err := j.SendJob(t.Context(), newJob(kind, node, content), 4); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, content := range []string{"small", large} {
		if _, err := j.SendJob(t.Context(), newJob(kind, node, content), 4); !errors.Is(err, store.ErrQueueFull) {
			t.Errorf("SendJob into a full queue: %v, want ErrQueueFull", err)
		}
	}
	qs, err := j.JobQueues(t.Context(), kind)
	if err != nil || qs[0].Waiting != 4 || qs[1].Waiting != 0 {
		t.Errorf("JobQueues = %+v, %v; want 4 waiting", qs, err)
	}
}

func testJobLanes(t *testing.T, url string) {
	t.Helper()
	kind, node := engines.Kind(Unique("k")), Unique("g")
	j := OpenJobs(t, url, node)
	for _, content := range []string{"b1", "b2", "p1", "p2"} {
		job := newJob(kind, node, content)
		if content[0] == 'b' {
			job.Lane = store.Bulk
		}
		send(t, j, job)
	}
	var got []string
	for _, bulk := range []bool{false, false, true} {
		list, err := j.TakeJobs(t.Context(), kind, 3, bulk, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range list {
			got = append(got, string(w.Payload)+" "+w.Lane.String())
		}
	}
	if want := []string{"p1 rt", "p2 rt", "b1 batch"}; !slices.Equal(got, want) {
		t.Errorf("TakeJobs = %q, want %q", got, want)
	}
}

func testJobWithdraw(t *testing.T, url string) {
	t.Helper()
	kind, node := engines.Kind(Unique("k")), Unique("g")
	j := OpenJobs(t, url, node)
	taken, waiting := newJob(kind, node, "taken"), newJob(kind, node, "waiting")
	for _, job := range []*store.Job{taken, waiting} {
		entry := send(t, j, job)
		if job == taken {
			takeOne(t, j, kind)
		}
		if err := j.WithdrawJob(t.Context(), job, entry); err != nil {
			t.Fatal(err)
		}
	}
	// The one in a worker's hands stays, so that the worker's death with it is noticed.
	qs, err := j.JobQueues(t.Context(), kind)
	if err != nil || qs[0].Running != 1 || qs[0].Waiting != 0 {
		t.Errorf("JobQueues = %+v, %v; want the taken one alone", qs, err)
	}
}

func testJobClaim(t *testing.T, url string) {
	t.Helper()
	kind, node := engines.Kind(Unique("k")), Unique("g")
	job := newJob(kind, node, "deadly")
	send(t, OpenJobs(t, url, node), job)
	first := OpenJobs(t, url, "")
	takeOne(t, first, kind)
	none := func(string) bool { return false }
	for death := 1; death <= 3; death++ {
		next := OpenJobs(t, url, "")
		if list, err := next.ClaimJobs(t.Context(), kind, store.Prompt, time.Hour, 10, none); err != nil || len(list) != 0 {
			t.Fatalf("ClaimJobs of one that is worked on = %v, %v; want none", list, err)
		}
		if list, err := next.ClaimJobs(t.Context(), kind, store.Prompt, 0, 10, func(string) bool { return true }); err != nil || len(list) != 0 {
			t.Fatalf("ClaimJobs of its own = %v, %v; want none", list, err)
		}
		list, err := next.ClaimJobs(t.Context(), kind, store.Prompt, 0, 10, none)
		if err != nil || len(list) != 1 || list[0].Deaths != death || list[0].Deliveries != death+1 || string(list[0].Payload) != "deadly" {
			t.Fatalf("ClaimJobs = %+v, %v; want death %d", list, err, death)
		}
	}
}

func testJobKeep(t *testing.T, url string) {
	t.Helper()
	// Redis's own clock counts: who stands still between the two calls asks too late, which
	// a longer time bears. A job that is not kept is claimed in all of them.
	for idle := 200 * time.Millisecond; !keeps(t, url, idle); idle *= 2 {
		if idle > 5*time.Second {
			t.Fatal("ClaimJobs takes over what was kept")
		}
	}
}

// keeps reports whether a job that is spoken of after idle is not claimed then.
func keeps(t *testing.T, url string, idle time.Duration) bool {
	t.Helper()
	kind, node := engines.Kind(Unique("k")), Unique("g")
	send(t, OpenJobs(t, url, node), newJob(kind, node, "long"))
	owner, other := OpenJobs(t, url, ""), OpenJobs(t, url, "")
	w := takeOne(t, owner, kind)
	none := func(string) bool { return false }
	time.Sleep(idle)
	if err := owner.KeepJobs(t.Context(), kind, store.Prompt, []string{w.Entry}); err != nil {
		t.Fatal(err)
	}
	list, err := other.ClaimJobs(t.Context(), kind, store.Prompt, idle, 10, none)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 0 {
		return false
	}
	list, err = other.ClaimJobs(t.Context(), kind, store.Prompt, 0, 10, none)
	if err != nil || len(list) != 1 || list[0].Deaths != 1 {
		t.Fatalf("ClaimJobs = %+v, %v; want it, with one death", list, err)
	}
	// Who has lost it can't keep it: the new owner dies, and a third one finds it.
	time.Sleep(idle)
	if err := owner.KeepJobs(t.Context(), kind, store.Prompt, []string{w.Entry}); err != nil {
		t.Fatal(err)
	}
	if list, err := owner.ClaimJobs(t.Context(), kind, store.Prompt, idle, 10, none); err != nil || len(list) != 1 {
		t.Errorf("ClaimJobs after its former owner spoke = %+v, %v; want it", list, err)
	}
	return true
}

func testJobBury(t *testing.T, url string) {
	t.Helper()
	kind, node := engines.Kind(Unique("k")), Unique("g")
	j := OpenJobs(t, url, node)
	send(t, j, newJob(kind, node, "poison"))
	w := takeOne(t, j, kind)
	for range 2 { // once more, as by who takes over from one that died in between
		if err := j.BuryJob(t.Context(), &w, "workers ended"); err != nil {
			t.Fatal(err)
		}
	}
	if qs, err := j.JobQueues(t.Context(), kind); err != nil || qs[0].Buried != 1 || qs[0].Running != 1 {
		t.Errorf("JobQueues = %+v, %v; want one buried and still there", qs, err)
	}
	if err := j.FinishJob(t.Context(), &w); err != nil {
		t.Fatal(err)
	}
	if _, err := j.SendJob(t.Context(), newJob(kind, node, "poison"), 10); !errors.Is(err, store.ErrQuarantined) {
		t.Errorf("SendJob of a buried content: %v, want ErrQuarantined", err)
	}
	large := newJob(kind, node, string(make([]byte, store.InlinePayload+1)))
	large.Content = w.Content
	if _, err := j.SendJob(t.Context(), large, 10); !errors.Is(err, store.ErrQuarantined) {
		t.Errorf("SendJob of a large buried content: %v, want ErrQuarantined", err)
	}
	if _, err := j.SendJob(t.Context(), newJob(kind, node, "other"), 10); err != nil {
		t.Errorf("SendJob of another content: %v", err)
	}
	if qs, err := j.JobQueues(t.Context(), kind); err != nil || qs[0].Buried != 1 || qs[0].Running != 0 || qs[0].Waiting != 1 {
		t.Errorf("JobQueues = %+v, %v; want one buried and one waiting", qs, err)
	}
}

// testJobForeign: what somebody else wrote into the queue is removed.
func testJobForeign(t *testing.T, url string) {
	t.Helper()
	kind, node := engines.Kind(Unique("k")), Unique("g")
	r := OpenRedis(t, url, node)
	j := OpenJobs(t, url, node)
	if err := r.Client().Do(t.Context(), "XADD", store.JobKey(kind, store.Prompt), "*", "x", "y").Err(); err != nil {
		t.Fatal(err)
	}
	job := newJob(kind, node, "ours")
	send(t, j, job)
	if w := takeOne(t, j, kind); w.ID != job.ID {
		t.Errorf("took %q, want ours", w.ID)
	}
	if qs, err := j.JobQueues(t.Context(), kind); err != nil || qs[0].Running+qs[0].Waiting != 1 {
		t.Errorf("JobQueues = %+v, %v; want ours alone", qs, err)
	}
}

func testJobRoster(t *testing.T, url string) {
	t.Helper()
	kind := engines.Kind(Unique("k"))
	j := OpenJobs(t, url, "w1")
	if list, err := j.Workers(t.Context(), kind); err != nil || len(list) != 0 {
		t.Fatalf("Workers = %v, %v; want none", list, err)
	}
	w := store.Worker{ID: "w1", Kind: kind, Model: "m 1", Version: "v2", Slots: 4, InFlight: 3}
	if err := j.Beat(t.Context(), &w); err != nil {
		t.Fatal(err)
	}
	list, err := j.Workers(t.Context(), kind)
	if err != nil || len(list) != 1 || !list[0].Fresh() {
		t.Fatalf("Workers = %+v, %v; want a fresh one", list, err)
	}
	list[0].Seen = 0
	if list[0] != w {
		t.Errorf("Workers = %+v, want %+v", list[0], w)
	}
	if err := j.SweepWorkers(t.Context(), kind); err != nil {
		t.Errorf("SweepWorkers: %v", err)
	}
	if err := j.Leave(t.Context(), kind, "w1"); err != nil {
		t.Fatal(err)
	}
	if list, err := j.Workers(t.Context(), kind); err != nil || len(list) != 0 {
		t.Errorf("Workers after Leave = %v, %v; want none", list, err)
	}
}

package storetest

import (
	"bytes"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
)

// testBlobs: parts are what was put, whole or not, until they are dropped or their time
// is over, and a Redis that is away says so.
func testBlobs(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	b := r.Blobs()
	blob := make([]byte, 70_000)
	for i := range blob {
		blob[i] = byte(i * 7)
	}
	one, two := Unique("blob")+".1", Unique("blob")+".2"
	must(t, b.Put(one, blob, time.Minute))
	must(t, b.Put(two, blob[:10], time.Minute))
	parts := []economy.BlobPart{{Name: one, From: 0, Len: len(blob)}, {Name: two, From: 4, Len: 100}, {Name: one, From: 69_990, Len: 20}, {Name: one, From: 70_000, Len: 1}, {Name: Unique("none"), From: 0, Len: 9}, {Name: one, From: 300, Len: 3}}
	want := [][]byte{blob, blob[4:10], blob[69_990:], {}, {}, blob[300:303]}
	got, err := b.Read(parts)
	must(t, err)
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("part %d has %d bytes, want %d", i, len(got[i]), len(want[i]))
		}
	}
	must(t, b.Keep([]string{one, two}, time.Hour))
	for _, name := range []string{one, two} {
		ttl, err := r.Client().PTTL(t.Context(), store.BlobKey(name)).Result()
		must(t, err)
		if ttl <= time.Minute || ttl > time.Hour {
			t.Errorf("%s lasts for %v", name, ttl)
		}
	}
	must(t, b.Keep(nil, time.Hour))
	must(t, b.Keep([]string{one}, 0))
	got, err = b.Read([]economy.BlobPart{{Name: one, Len: 5}, {Name: two, Len: 5}})
	must(t, err)
	if len(got[0]) != 0 || !bytes.Equal(got[1], blob[:5]) {
		t.Errorf("after it was dropped: %d and %d bytes", len(got[0]), len(got[1]))
	}
	must(t, b.Keep([]string{one, two}, 0))

	away := OpenRedis(t, "redis://127.0.0.1:1", "").Blobs()
	_, err = away.Read(parts)
	wantErr(t, "read of what is away", err, store.ErrUnavailable)
	wantErr(t, "put to what is away", away.Put(one, blob, time.Minute), store.ErrUnavailable)
	wantErr(t, "keep of what is away", away.Keep([]string{one}, time.Minute), store.ErrUnavailable)
}

package store_test

import (
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// odd holds ids that would end a tag, look like another key or run together.
var odd = []string{"a", "a:b", "a}", "{a", "}{", ":", "a%3Ab", "a:b}:out", "%", "\n", "é", "a:"}

func TestKeysDoNotCollide(t *testing.T) {
	seen := make(map[string]string)
	add := func(key, what string) {
		t.Helper()
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s share the key %q", what, other, key)
		}
		seen[key] = what
		if strings.Count(key, "{") > 1 || strings.Count(key, "}") > 1 {
			t.Errorf("%s: key %q has more than one tag", what, key)
		}
	}
	for _, a := range odd {
		add(store.SessionKey(engines.SessionID(a)), "session "+a)
		add(store.SessionLogKey(engines.SessionID(a)), "session log "+a)
		add(store.NodeChannel(a), "node "+a)
		add(store.SeenKey(a), "seen "+a)
		add(store.BlobKey(a), "blob "+a)
		for _, b := range odd {
			add(store.PlayerKey(engines.AppID(a), engines.PlayerID(b)), "player "+a+"|"+b)
			add(store.AnswersKey(engines.AppID(a), engines.PlayerID(b)), "answers "+a+"|"+b)
			add(store.SceneLogKey(engines.AppID(a), engines.SceneID(b)), "scene log "+a+"|"+b)
			add(store.SceneChannel(engines.AppID(a), engines.SceneID(b)), "scene "+a+"|"+b)
			add(store.LimitKey(engines.AppID(a), b), "limit "+a+"|"+b)
		}
	}
	add(store.FeedChannel(), "feed")
}

func TestKeysOfJobs(t *testing.T) {
	seen := make(map[string]string)
	for _, a := range odd {
		kind := engines.Kind(a)
		keys := map[string]string{
			"rt": store.JobKey(kind, store.Prompt), "batch": store.JobKey(kind, store.Bulk),
			"grave": store.JobGraveKey(kind), "workers": store.WorkersKey(kind), "replies": store.RepliesKey(a, kind),
		}
		for _, b := range odd {
			keys["payload "+b] = store.JobPayloadKey(kind, b)
			keys["died "+b] = store.JobDeathsKey(kind, b)
			keys["quarantine "+b] = store.JobQuarantineKey(kind, b)
			keys["worker "+b] = store.WorkerKey(kind, b)
		}
		for what, key := range keys {
			if other, ok := seen[key]; ok {
				t.Errorf("%s of %q and %s share the key %q", what, a, other, key)
			}
			seen[key] = what + " of " + a
			if got, want := tag(key), tag(store.JobKey(kind, store.Prompt)); what != "replies" && got != want {
				t.Errorf("%s of %q: tag %q, want %q", what, a, got, want)
			}
		}
	}
}

func tag(key string) string {
	_, rest, _ := strings.Cut(key, "{")
	inside, _, _ := strings.Cut(rest, "}")
	return inside
}

func TestKeysOfOneThingShareATag(t *testing.T) {
	for _, a := range odd {
		sid := engines.SessionID(a)
		if got, want := tag(store.SessionLogKey(sid)), tag(store.SessionKey(sid)); got != want {
			t.Errorf("session %q: tags %q and %q", a, got, want)
		}
		if got, want := tag(store.AnswersKey("app", engines.PlayerID(a))), tag(store.PlayerKey("app", engines.PlayerID(a))); got != want {
			t.Errorf("player %q: tags %q and %q", a, got, want)
		}
	}
}

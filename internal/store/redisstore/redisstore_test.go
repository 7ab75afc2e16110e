package redisstore_test

import (
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func embedded(*testing.T) string { return "" }

// sharedMini is the engine of the embedded default, as a server of its own.
func sharedMini(t *testing.T) string {
	t.Helper()
	return "redis://" + miniredis.RunT(t).Addr()
}

func TestEmbedded(t *testing.T) { storetest.Live(t, embedded) }

func TestRedis(t *testing.T) { storetest.Live(t, storetest.RedisURL) }

func TestNodesMini(t *testing.T) { storetest.LiveNodes(t, sharedMini) }

func TestNodesRedis(t *testing.T) { storetest.LiveNodes(t, storetest.RedisURL) }

func TestJobsMini(t *testing.T) { storetest.Jobs(t, sharedMini) }

func TestJobsRedis(t *testing.T) { storetest.Jobs(t, storetest.RedisURL) }

func TestValidate(t *testing.T) {
	t.Helper()
	for _, test := range []struct{ url, want string }{
		{"", ""},
		{"redis://127.0.0.1", ""},
		{"redis://127.0.0.1:6380/3", ""},
		{"rediss://user:p%40ss@[::1]:6380", ""},
		{"redis://a:1,b:2,c", ""},
		{"redis+sentinel://:pw@a,b/mymaster/2", ""},
		{"127.0.0.1:6379", "redis.url"},
		{"http://127.0.0.1", "scheme"},
		{"redis://", "host"},
		{"redis://a:b:c", "host"},
		{"redis://a/x", "database"},
		{"redis://a,b/1", "cluster"},
		{"redis+sentinel://a,b", "master"},
		{"redis://a?x=1", "query"},
	} {
		err := redisstore.Config{URL: test.url, Node: "n"}.Validate()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("Validate(%q) = %v, want %q", test.url, err, test.want)
		}
	}
	err := redisstore.Config{URL: "redis://:topsecret@a:b", Node: ""}.Validate()
	if err == nil || strings.Contains(err.Error(), "topsecret") || !strings.Contains(err.Error(), "node") {
		t.Errorf("Validate() = %v, want it to name node and not the password", err)
	}
}

package redisstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// TestCluster runs both suites on a cluster of one node, which refuses commands
// and scripts over keys of two tags as a larger one does.
func TestCluster(t *testing.T) {
	url, _ := ownServer(t, "--cluster-enabled", "yes", "--cluster-port", "0")
	host := strings.TrimPrefix(url, "redis://")
	c := redis.NewClient(&redis.Options{Addr: host, Protocol: 2})
	defer c.Close()
	if err := c.Do(t.Context(), "CLUSTER", "ADDSLOTSRANGE", 0, 16383).Err(); err != nil {
		t.Fatal(err)
	}
	within(t, time.Minute, "the cluster to be whole", func() bool {
		info, err := c.ClusterInfo(t.Context()).Result()
		return err == nil && strings.Contains(info, "cluster_state:ok")
	})
	address := func(*testing.T) string { return url + "," + host }
	t.Run("Live", func(t *testing.T) { storetest.Live(t, address) })
	t.Run("Nodes", func(t *testing.T) { storetest.LiveNodes(t, address) })
	t.Run("Jobs", func(t *testing.T) { storetest.Jobs(t, address) })
}

// TestWrongPassword is a fault of the configuration that looks like an outage.
func TestWrongPassword(t *testing.T) {
	url, _ := ownServer(t, "--requirepass", "right")
	host := strings.TrimPrefix(url, "redis://")
	wrong := storetest.OpenRedis(t, "redis://:wrong@"+host, "")
	if wrong.Healthy() {
		t.Error("Healthy() with a wrong password")
	}
	if err := wrong.Ping(t.Context()); !errors.Is(err, store.ErrUnavailable) || strings.Contains(err.Error(), "right") {
		t.Errorf("Ping with a wrong password: %v, want ErrUnavailable", err)
	}
	right, err := redisstore.Open(context.Background(), redisstore.Config{URL: "redis://:right@" + host, Node: "n", Wait: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer right.Close()
	if !right.Healthy() {
		t.Error("not Healthy() with the right password")
	}
}

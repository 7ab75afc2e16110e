package main

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/economy/risk"
)

// countedCold counts what a Cold is asked for, and what of it failed.
type countedCold struct {
	to    risk.Cold
	calls *prometheus.CounterVec // by call and result
	bytes *prometheus.CounterVec // by call
}

func newCountedCold(to risk.Cold, reg prometheus.Registerer) risk.Cold {
	c := countedCold{
		to: to,
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_economy_blob_calls_total", Help: "Calls to Redis for packed players of the economy.",
		}, []string{"call", "result"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_economy_blob_bytes_total", Help: "Bytes of packed players sent to Redis and read from it.",
		}, []string{"call"}),
	}
	reg.MustRegister(c.calls, c.bytes)
	return c
}

func (c countedCold) count(call string, bytes int, err error) {
	result := "ok"
	if err != nil {
		result = "failed"
	}
	c.calls.WithLabelValues(call, result).Inc()
	c.bytes.WithLabelValues(call).Add(float64(bytes))
}

func (c countedCold) Put(name string, blob []byte, last time.Duration) error {
	err := c.to.Put(name, blob, last)
	c.count("put", len(blob), err)
	return err
}

func (c countedCold) Read(parts []economy.BlobPart) ([][]byte, error) {
	list, err := c.to.Read(parts)
	n := 0
	for _, b := range list {
		n += len(b)
	}
	c.count("read", n, err)
	return list, err
}

func (c countedCold) Keep(names []string, last time.Duration) error {
	err := c.to.Keep(names, last)
	c.count("keep", 0, err)
	return err
}

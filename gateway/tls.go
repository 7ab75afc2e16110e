package gateway

import (
	"crypto/tls"
	"fmt"
	"os"
	"sync"
	"time"
)

// certificate serves a key pair from disk and takes a renewed one up without a
// restart. A renewal that does not load leaves the old one in use.
type certificate struct {
	files TLS

	mu      sync.Mutex
	pair    *tls.Certificate
	stamp   time.Time
	checked time.Time
}

// checkEvery is how often the file's time is looked at.
const checkEvery = 10 * time.Second

func newCertificate(files TLS) (*certificate, error) {
	c := &certificate{files: files}
	pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		return nil, fmt.Errorf("http.tls: %w", err)
	}
	c.pair, c.checked = &pair, time.Now()
	if info, err := os.Stat(files.Cert); err == nil {
		c.stamp = info.ModTime()
	}
	return c, nil
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.checked) > checkEvery {
		c.checked = now
		info, err := os.Stat(c.files.Cert)
		if err == nil && !info.ModTime().Equal(c.stamp) {
			if pair, err := tls.LoadX509KeyPair(c.files.Cert, c.files.Key); err == nil {
				c.pair, c.stamp = &pair, info.ModTime()
			}
		}
	}
	return c.pair, nil
}

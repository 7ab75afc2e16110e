package gateway

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"path"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/internal/wire"
)

// page is one file of the built web pages.
type page struct {
	body   []byte
	packed []byte // with gzip; nil where that does not pay
	kind   string
	etag   string
}

// pages mounts the console and, in development, the demo. The files are few and
// small: they are read once.
func (g *Gateway) pages() {
	files := map[string]page{}
	_ = fs.WalkDir(g.deps.Web, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(g.deps.Web, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		files[name] = page{body: body, packed: pack(body), kind: contentType(name), etag: `"` + hex.EncodeToString(sum[:8]) + `"`}
		return nil
	}) // an embedded file system does not fail

	roots := []string{"console"}
	if g.cfg.Demo {
		roots = append(roots, "demo")
	}
	for _, root := range roots {
		g.app.Get("/"+root, func(c *fiber.Ctx) error {
			if !strings.HasSuffix(c.Path(), "/") {
				return c.Redirect(root+"/", fiber.StatusFound) // relative: a prefix in front is kept
			}
			return g.servePage(c, files, root+"/index.html")
		})
		g.app.Get("/"+root+"/*", func(c *fiber.Ctx) error {
			return g.servePage(c, files, root+"/"+c.Params("*"))
		})
	}
	home := roots[len(roots)-1] + "/"
	g.app.Get("/", func(c *fiber.Ctx) error { return c.Redirect(home, fiber.StatusFound) })
}

func (g *Gateway) servePage(c *fiber.Ctx, files map[string]page, name string) error {
	p, ok := files[name]
	if !ok {
		return wire.Fail(wire.NotFound, "no such page")
	}
	c.Set(fiber.HeaderContentType, p.kind)
	c.Set("Content-Security-Policy", g.deps.CSP)
	c.Set("Referrer-Policy", "no-referrer")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	if strings.HasSuffix(name, ".html") {
		c.Set(fiber.HeaderCacheControl, "no-store")
	} else { // its name holds its hash
		c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	}
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	packed := p.packed != nil && takesGzip(c.Get(fiber.HeaderAcceptEncoding))
	if packed { // another representation has another tag (RFC 9110, 8.8.3)
		p.etag = strings.TrimSuffix(p.etag, `"`) + `-gz"`
	}
	c.Set(fiber.HeaderETag, p.etag)
	if c.Get(fiber.HeaderIfNoneMatch) == p.etag {
		return c.SendStatus(fiber.StatusNotModified)
	}
	if packed {
		c.Set(fiber.HeaderContentEncoding, "gzip")
		return c.Send(p.packed)
	}
	return c.Send(p.body)
}

// pack returns the body as gzip, nil where that saves less than a tenth.
func pack(body []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil // the level is a valid constant: can't happen
	}
	_, _ = w.Write(body)
	_ = w.Close() // a buffer takes everything
	if b.Len() >= len(body)*9/10 {
		return nil
	}
	return b.Bytes()
}

// takesGzip reports whether an Accept-Encoding names gzip and does not refuse it.
func takesGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		coding, weight, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		q := strings.TrimPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
		return strings.Trim(q, "0.") != "" || weight == ""
	}
	return false
}

func contentType(name string) string {
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

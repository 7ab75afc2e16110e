package gateway

import (
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
	body []byte
	kind string
	etag string
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
		files[name] = page{body: body, kind: contentType(name), etag: `"` + hex.EncodeToString(sum[:8]) + `"`}
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
	c.Set(fiber.HeaderETag, p.etag)
	if strings.HasSuffix(name, ".html") {
		c.Set(fiber.HeaderCacheControl, "no-store")
	} else { // its name holds its hash
		c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	}
	if c.Get(fiber.HeaderIfNoneMatch) == p.etag {
		return c.SendStatus(fiber.StatusNotModified)
	}
	return c.Send(p.body)
}

func contentType(name string) string {
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

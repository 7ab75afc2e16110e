package gateway

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/banks"
	"github.com/portcullis-gg/portcullis/internal/hashlist"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// ImageBanks keeps banks of known pictures; internal/banks has the one there is. Errors
// are its own, those of internal/hashlist and the store's.
type ImageBanks interface {
	BankBook
	BankImports
	// Facts makes the hashes of a picture; an error says what is wrong with it.
	Facts(ctx context.Context, file []byte) (*engines.MediaFacts, error)
	// Test returns the entries that know a picture, with restricted those too that only
	// an admin may ask.
	Test(ctx context.Context, app engines.AppID, f *engines.MediaFacts, restricted bool, by string) ([]banks.Found, error)
}

// BankBook is what is said of banks.
type BankBook interface {
	List(app engines.AppID) []banks.View
	Bank(ctx context.Context, key banks.Key) (banks.View, []store.ImageMatches, error)
	Put(ctx context.Context, b store.ImageBank, was int) (store.ImageBank, error)
}

// BankImports are what is in them.
type BankImports interface {
	Imports(ctx context.Context, key banks.Key, after int64, most int) ([]store.ImageImport, error)
	Import(ctx context.Context, o banks.Order) (banks.Report, error)
	AddPicture(ctx context.Context, key banks.Key, source, by string, file []byte) (banks.Report, error)
	RetireImport(ctx context.Context, key banks.Key, id, by string) error
	RetireEntry(ctx context.Context, key banks.Key, kind string, number int64, by string) error
}

// ImageBankLimits bounds bodies: a list's, a picture's, and how long a list may take.
type ImageBankLimits struct {
	ImportBytes, PictureBytes int64
	Timeout                   time.Duration
	LeastQuality              int // of a new bank that says nothing of it
}

func (g *Gateway) imageBankRoutes() []route {
	return []route{
		{method: "GET", path: "/image-banks", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.listImageBanks},
		{method: "POST", path: "/image-banks/test", auth: either, limit: limit.Query, replay: auth.ReplayKeyed, scope: auth.ScopeCheck, perm: auth.SeePolicy, raw: true, handle: g.testImageBanks},
		{method: "GET", path: "/image-banks/:name", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.imageBank},
		{method: "PUT", path: "/image-banks/:name", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.putImageBank},
		{method: "GET", path: "/image-banks/:name/imports", auth: managed, limit: limit.Query, perm: auth.SeePolicy, handle: g.imageImports},
		{method: "POST", path: "/image-banks/:name/imports", auth: either, limit: limit.Action, replay: auth.ReplayKeyed, scope: auth.ScopeCheck, perm: auth.EditPolicy, raw: true, handle: g.importImages},
		{method: "POST", path: "/image-banks/:name/pictures", auth: either, limit: limit.Action, replay: auth.ReplayKeyed, scope: auth.ScopeCheck, perm: auth.EditPolicy, raw: true, handle: g.addPicture},
		{method: "DELETE", path: "/image-banks/:name/imports/:id", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.retireImageImport},
		{method: "DELETE", path: "/image-banks/:name/entries/:kind/:number", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.EditPolicy, handle: g.retireImageEntry},
	}
}

// pathBank reads the bank of the path: the app's own, or with ?owner=all that of all
// apps.
func pathBank(c *call) (banks.Key, error) {
	key := banks.Key{App: c.app, Name: strings.Clone(c.Params("name"))}
	if !banks.ValidName(key.Name) || key.Name == "test" {
		return key, wire.Invalid("/name", "must be 1 to 48 of a-z 0-9 _ -, beginning with a letter or digit, and not test")
	}
	switch c.Query("owner") {
	case "", "app":
	case "all":
		key.App = ""
	default:
		return key, wire.Invalid("?owner", "must be app or all")
	}
	return key, nil
}

// errAdmins: what only admins may.
var errAdmins = wire.Fail(wire.Forbidden, "only an admin may change banks of all apps and of child_safety and extremism")

// mayChange refuses an app what is for admins: banks that count for others, and those
// of the gravest categories.
func mayChange(c *call, app engines.AppID, category engines.Category) error {
	if (app == "" || banks.Restricted(category)) && !c.user.Role.Can(auth.EditPolicy) {
		return errAdmins
	}
	return nil
}

// changeable is the bank of the path, where whoever calls may change it.
func (g *Gateway) changeable(c *call) (banks.Key, error) {
	key, err := pathBank(c)
	if err != nil {
		return key, err
	}
	v, _, err := g.deps.ImageBanks.Bank(c.ctx(), key)
	if err != nil {
		return key, noImageBank(err)
	}
	return key, mayChange(c, key.App, v.Category)
}

// noImageBank translates what is wrong with banks and imports.
func noImageBank(err error) error {
	if faults, ok := errors.AsType[banks.Faults](err); ok {
		e := wire.Fail(wire.InvalidParameter, "")
		for _, f := range faults {
			e.Fields = append(e.Fields, wire.Field{Pointer: "/" + f.Member, Reason: f.Reason})
		}
		return e
	}
	if refused, ok := errors.AsType[*banks.RefusedError](err); ok {
		r := &refused.Report
		e := wire.Fail(wire.InvalidParameter, "nothing was imported: "+strconv.FormatInt(r.Faulty, 10)+" of "+strconv.FormatInt(r.Lines, 10)+
			" lines have a fault; ?partial=true takes the others")
		for _, f := range r.Faults {
			e.Fields = append(e.Fields, wire.Field{Pointer: "/" + strconv.Itoa(f.Line), Reason: f.Reason})
		}
		return e
	}
	if format, ok := errors.AsType[*hashlist.FormatError](err); ok {
		e := wire.Fail(wire.InvalidParameter, "nothing was imported: the list is not of its format")
		e.Fields = []wire.Field{{Pointer: "/" + strconv.Itoa(format.Line), Reason: format.Reason}}
		return e
	}
	switch {
	case errors.Is(err, banks.ErrMany):
		return wire.Fail(wire.Conflict, "there are as many banks, or hashes, as there may be")
	case errors.Is(err, banks.ErrRetired):
		return wire.Fail(wire.Conflict, "the bank is retired")
	case errors.Is(err, banks.ErrNothing):
		return wire.Invalid("", "there is no usable hash in it")
	case errors.Is(err, banks.ErrNoPictures):
		return wire.Fail(wire.Unsupported, strings.TrimPrefix(err.Error(), "banks: "))
	case errors.Is(err, store.ErrNotFound):
		return wire.Fail(wire.NotFound, "no such bank, import or entry")
	case errors.Is(err, store.ErrConflict):
		return wire.Fail(wire.Conflict, "it has changed since it was read, or If-Match is missing")
	}
	return err
}

// listImageBanks answers GET /image-banks: those that count for the app.
func (g *Gateway) listImageBanks(c *call) error {
	list := g.deps.ImageBanks.List(c.app)
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "banks", len(list), func(dst []byte, i int) []byte { return appendImageBank(dst, &list[i]) })
	})
}

// imageBank answers GET /image-banks/{name}.
func (g *Gateway) imageBank(c *call) error {
	key, err := pathBank(c)
	if err != nil {
		return err
	}
	v, matches, err := g.deps.ImageBanks.Bank(c.ctx(), key)
	if err != nil {
		return noImageBank(err)
	}
	c.Set(fiber.HeaderETag, strconv.Quote(strconv.Itoa(v.Version)))
	return c.ok(func(dst []byte) []byte {
		return wire.List(appendImageBank(dst, &v), "matches", len(matches), func(dst []byte, i int) []byte {
			m := &matches[i]
			return wire.Num(wire.Str(wire.Str(dst, "day", time.UnixMilli(m.Day).UTC().Format(time.DateOnly)), "state", m.State), "count", m.N)
		})
	})
}

// putImageBank answers PUT /image-banks/{name}.
func (g *Gateway) putImageBank(c *call) error {
	key, err := pathBank(c)
	if err != nil {
		return err
	}
	was, o, err := c.change()
	if err != nil {
		return err
	}
	b := store.ImageBank{App: key.App, Name: key.Name, By: c.actor(), LeastQuality: g.cfg.ImageBanks.LeastQuality, State: store.ImageBankTest}
	b.Category = engines.Category(o.Require("category"))
	b.Radius = banks.UsualRadius(b.Category)
	if n, ok := o.Int("threshold", 0, banks.MostRadius); ok {
		b.Radius = int(n)
	}
	if n, ok := o.Int("least_quality", 0, 100); ok {
		b.LeastQuality = int(n)
	}
	if state, ok := o.Text("state"); ok {
		b.State = state
	}
	b.SubLabel, _ = o.Text("sub_label")
	b.Note, _ = o.Text("note")
	if err := o.Err(); err != nil {
		return err
	}
	if err := mayChange(c, key.App, b.Category); err != nil {
		return err
	}
	if _, err := g.deps.ImageBanks.Put(c.ctx(), b, was); err != nil {
		return noImageBank(err)
	}
	g.log.Info("image bank", "request_id", c.request, "app", key.App, "bank", key.Name, "category", b.Category, "state", b.State, "by", b.By)
	return g.imageBank(c)
}

// imageImports answers GET /image-banks/{name}/imports?after=&limit=.
func (g *Gateway) imageImports(c *call) error {
	var wrong faults
	key, err := pathBank(c)
	wrong.add(err)
	after, most := wrong.count(c, "after", 0, 1<<30), wrong.count(c, "limit", pageUsual, pageAtMost)
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.ImageBanks.Imports(c.ctx(), key, int64(after), most)
	if err != nil {
		return noImageBank(err)
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "imports", len(list), func(dst []byte, i int) []byte { return appendImageImport(dst, &list[i]) })
	})
}

// sourceOf reads where hashes are from.
func sourceOf(c *call) (string, error) {
	source := strings.Clone(c.Query("source"))
	if len(source) > 500 || !wire.ValidText(source) {
		return "", wire.Invalid("?source", "must be UTF-8 without control characters, of at most 500 bytes")
	}
	return source, nil
}

// limited is a body that ends with an error where it is too large.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, wire.Fail(wire.TooLarge, "")
	}
	return n, err //nolint:wrapcheck // a Reader's
}

// bankBody is the body of a request that streams, of at most some bytes.
func (g *Gateway) bankBody(c *call, most int64) (io.Reader, error) {
	if enc := c.Get(fiber.HeaderContentEncoding); enc != "" && enc != "identity" {
		return nil, wire.Fail(wire.Unsupported, "Content-Encoding is not supported")
	}
	if int64(c.Request().Header.ContentLength()) > most {
		return nil, wire.Fail(wire.TooLarge, "more than "+strconv.FormatInt(most, 10)+" bytes")
	}
	if err := c.Context().SetReadDeadline(time.Now().Add(g.cfg.ImageBanks.Timeout)); err != nil {
		return nil, err
	}
	return &limited{c.stream(), most}, nil
}

// importImages answers POST /image-banks/{name}/imports?format=: the body is the list.
func (g *Gateway) importImages(c *call) error {
	r, err := g.importList(c)
	if err != nil {
		return cut(c.Ctx, noImageBank(err))
	}
	return c.withReport(&r)
}

func (g *Gateway) importList(c *call) (r banks.Report, err error) {
	o := banks.Order{By: c.actor(), Format: hashlist.Format(strings.Clone(c.Query("format")))}
	if o.Key, err = g.changeable(c); err != nil {
		return r, err
	}
	var wrong faults
	if !hashlist.Valid(o.Format) {
		wrong.tell("?format", "must be csv, pdq, sha256 or threatexchange")
	}
	o.Source, err = sourceOf(c)
	wrong.add(err)
	for _, f := range []struct {
		name string
		to   *bool
	}{{"partial", &o.Partial}, {"replace", &o.Replace}} {
		if q := c.Query(f.name); q != "" {
			if *f.to, err = strconv.ParseBool(q); err != nil {
				wrong.tell("?"+f.name, "must be true or false")
			}
		}
	}
	if err := wrong.err(); err != nil {
		return r, err
	}
	if o.Body, err = g.bankBody(c, g.cfg.ImageBanks.ImportBytes); err != nil {
		return r, err
	}
	r, err = g.deps.ImageBanks.Import(c.ctx(), o)
	if err == nil {
		g.log.Info("image bank: import", "request_id", c.request, "app", o.App, "bank", o.Name, "import", r.ID, "pdq", r.PDQ, "sha256", r.SHA256, "left_out", r.LeftOut, "by", o.By)
	}
	return r, err
}

// picture reads a body that is one.
func (g *Gateway) picture(c *call) ([]byte, error) {
	body, err := g.bankBody(c, g.cfg.ImageBanks.PictureBytes)
	if err != nil {
		return nil, err
	}
	file, err := io.ReadAll(body)
	if err == nil && len(file) == 0 {
		err = wire.Invalid("", "must be a picture")
	}
	return file, err
}

// addPicture answers POST /image-banks/{name}/pictures: the body is the picture.
func (g *Gateway) addPicture(c *call) error {
	key, err := g.changeable(c)
	if err != nil {
		return cut(c.Ctx, err)
	}
	source, err := sourceOf(c)
	if err != nil {
		return cut(c.Ctx, err)
	}
	file, err := g.picture(c)
	if err != nil {
		return cut(c.Ctx, err)
	}
	r, err := g.deps.ImageBanks.AddPicture(c.ctx(), key, source, c.actor(), file)
	if err != nil {
		return noImageBank(err)
	}
	return c.withReport(&r)
}

// testImageBanks answers POST /image-banks/test: the body is a picture, or JSON with
// hashes.
func (g *Gateway) testImageBanks(c *call) error {
	f, err := g.askedFor(c)
	if err != nil {
		return cut(c.Ctx, noImageBank(err))
	}
	list, err := g.deps.ImageBanks.Test(c.ctx(), c.app, f, c.user.Role.Can(auth.EditPolicy), c.actor())
	if err != nil {
		return noImageBank(err)
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "matches", len(list), func(dst []byte, i int) []byte {
			m := &list[i]
			dst = wire.Str(wire.Str(wire.Str(dst, "bank", m.Bank.Name), "owner", ownerOf(m.Bank.App)), "category", string(m.Bank.Category))
			return wire.Num(wire.Str(wire.Str(dst, "state", m.Bank.State), "entry", m.Entry()), "distance", int64(m.Distance))
		})
	})
}

func (g *Gateway) askedFor(c *call) (*engines.MediaFacts, error) {
	if !strings.HasPrefix(c.Get(fiber.HeaderContentType), "application/json") {
		file, err := g.picture(c)
		if err != nil {
			return nil, err
		}
		return g.deps.ImageBanks.Facts(c.ctx(), file)
	}
	body, err := g.bankBody(c, int64(g.cfg.Limits.BodyBytes))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	o, err := wire.Parse(text)
	if err != nil {
		return nil, err
	}
	f := &engines.MediaFacts{PDQQuality: 100}
	hashes := 0
	for name, to := range map[string]*[32]byte{"pdq": &f.PDQ, "sha256": &f.SHA256} {
		if text, ok := o.Text(name); ok {
			hashes++
			if err := hashlist.Hash(text, to); err != nil {
				o.Fault(name, "must be 64 hexadecimal digits")
			}
		}
	}
	if n, ok := o.Int("quality", 0, 100); ok {
		f.PDQQuality = int(n)
	}
	if hashes == 0 {
		o.Fault("pdq", "or sha256 is required")
	}
	return f, o.Err()
}

// retireImageImport answers DELETE /image-banks/{name}/imports/{id}.
func (g *Gateway) retireImageImport(c *call) error {
	key, err := g.changeable(c)
	if err != nil {
		return err
	}
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	if err := g.deps.ImageBanks.RetireImport(c.ctx(), key, id, c.actor()); err != nil {
		return noImageBank(err)
	}
	return g.imageBank(c)
}

// retireImageEntry answers DELETE /image-banks/{name}/entries/{kind}/{number}.
func (g *Gateway) retireImageEntry(c *call) error {
	key, err := g.changeable(c)
	if err != nil {
		return err
	}
	kind := strings.Clone(c.Params("kind"))
	number, err := strconv.ParseInt(c.Params("number"), 10, 64)
	if err != nil || kind != store.ImagePDQ && kind != store.ImageSHA256 {
		return wire.Invalid("/number", "an entry is pdq or sha256 and its number, as a match names it")
	}
	if err := g.deps.ImageBanks.RetireEntry(c.ctx(), key, kind, number, c.actor()); err != nil {
		return noImageBank(err)
	}
	return g.imageBank(c)
}

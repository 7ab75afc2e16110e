package gateway

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const (
	// metaBytes is how much may be said of a file, and what a form may have around it.
	metaBytes = 64 << 10
	formBytes = 256 << 10
)

// medium is a kind of content that comes as a file.
type medium struct {
	kind engines.Kind
	noun string // what it is to its sender
	most int    // bytes
	read func(o *wire.Object) (wire.TextCheck, error)
}

// checkMedia answers the check of a file: a form of file and meta, or JSON with
// content_base64. Who asks is known before the body is read.
func (g *Gateway) checkMedia(c *call, m *medium) error {
	room := g.room(m)
	if !g.uploads.enter(string(c.app), room) {
		e := wire.Fail(wire.Unavailable, "too many uploads at once, try again")
		e.RetryAfter = time.Second
		return cut(c.Ctx, e)
	}
	defer g.uploads.leave(string(c.app), room)
	sent, err := g.readUpload(c, m)
	if err != nil {
		return cut(c.Ctx, err)
	}
	check, err := m.read(sent.meta)
	if err != nil {
		return under(sent.at, err)
	}
	if err := g.deps.Accept(m.kind, sent.file, sent.claim); err != nil {
		return err
	}
	check.Item.App, check.Item.RequestID = c.app, c.request
	check.Item.Media.Bytes, check.Item.Media.Type = sent.file, sent.claim
	g.deps.Economy.Named(c.app, check.Item.Player)
	return g.once(c, check.Item.Player, turn{asked: sent.sum()}, func() (int, []byte, error) { return g.check(c, &check) })
}

// room is how many pictures a file takes the memory of.
func (g *Gateway) room(m *medium) int {
	return min(g.cfg.Uploads, max(1, (m.most+g.cfg.Limits.ImageBytes-1)/max(1, g.cfg.Limits.ImageBytes)))
}

// upload is a file as it was sent.
type upload struct {
	meta  *wire.Object
	at    string // the pointer of meta
	raw   []byte // that meta was read from
	file  []byte
	claim string
}

// sum names what was asked.
func (p *upload) sum() []byte {
	file := sha256.Sum256(p.file)
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%s\x00%s\x00%d\x00%s", p.claim, file, len(p.raw), p.raw) // a hash does not fail
	return sum.Sum(nil)
}

func (g *Gateway) readUpload(c *call, m *medium) (*upload, error) {
	if enc := c.Get(fiber.HeaderContentEncoding); enc != "" && enc != "identity" {
		return nil, wire.Fail(wire.Unsupported, "Content-Encoding is not supported")
	}
	kind, params, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil {
		kind = ""
	}
	most := m.most
	var read func(io.Reader) (*upload, error)
	switch kind {
	case fiber.MIMEMultipartForm:
		boundary := strings.Clone(params["boundary"])
		if boundary == "" {
			return nil, wire.Fail(wire.InvalidParameter, "the form's Content-Type names no boundary")
		}
		most += metaBytes + formBytes
		read = func(r io.Reader) (*upload, error) { return m.readForm(multipart.NewReader(r, boundary)) }
	case fiber.MIMEApplicationJSON:
		most = most/3*4 + 4 + metaBytes
		read = m.readJSON
	default:
		return nil, wire.Fail(wire.Unsupported, "send multipart/form-data with file and meta, or application/json with content_base64")
	}
	if c.Request().Header.ContentLength() > most {
		return nil, m.tooLarge()
	}
	if err := c.Context().SetReadDeadline(time.Now().Add(g.cfg.UploadTimeout)); err != nil {
		return nil, err
	}
	body := &capped{c.stream(), most + 1}
	p, err := read(body)
	if body.left <= 0 {
		return nil, m.tooLarge()
	}
	if err == nil { // what a form has behind its end
		_, err = io.Copy(io.Discard, body)
	}
	return p, err
}

func (m *medium) tooLarge() error {
	e := wire.Fail(wire.TooLarge, "")
	e.Fields = []wire.Field{{Reason: fmt.Sprintf("a %s has at most %d bytes", m.noun, m.most)}}
	return e
}

// capped ends after so many bytes.
type capped struct {
	r    io.Reader
	left int
}

func (l *capped) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err //nolint:wrapcheck // a Reader's
}

// readForm reads the parts of a form, in whatever order; those that it does not know
// are passed over.
func (m *medium) readForm(r *multipart.Reader) (*upload, error) {
	p := upload{at: "/meta"}
	for {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, badForm(err)
		}
		switch part.FormName() {
		case "meta":
			err = p.readMeta(part)
		case "file":
			err = m.readFile(&p, part)
		}
		if err != nil {
			return nil, err
		}
	}
	if p.file == nil {
		return nil, wire.Invalid("/file", "is required: the "+m.noun+", as a part of the form")
	}
	if p.meta == nil {
		var err error
		if p.meta, err = wire.Parse([]byte("{}")); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

func (p *upload) readMeta(part *multipart.Part) (err error) {
	if p.meta != nil {
		return wire.Invalid("/meta", "stands twice")
	}
	if p.raw, err = readSmall(part, metaBytes); err != nil {
		return err
	}
	if p.meta, err = wire.Parse(p.raw); err != nil {
		return under("/meta", err)
	}
	return nil
}

func (m *medium) readFile(p *upload, part *multipart.Part) error {
	if p.file != nil {
		return wire.Invalid("/file", "stands twice: one "+m.noun+" a request")
	}
	p.claim = part.Header.Get(fiber.HeaderContentType)
	file, err := io.ReadAll(io.LimitReader(part, int64(m.most)+1))
	if err != nil {
		return badForm(err)
	}
	if len(file) > m.most {
		return m.tooLarge()
	}
	p.file = append([]byte{}, file...) // no longer than it is; not nil when it is empty
	return nil
}

// readSmall reads a small part.
func readSmall(r io.Reader, most int) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, badForm(err)
	}
	if len(b) > most {
		return nil, wire.Fail(wire.TooLarge, "meta is too large")
	}
	return b, nil
}

// under puts the pointers of an error below a place.
func under(at string, err error) error {
	e, ok := errors.AsType[*wire.Error](err)
	if !ok {
		return err
	}
	moved := *e
	moved.Fields = nil
	for _, f := range e.Fields {
		moved.Fields = append(moved.Fields, wire.Field{Pointer: at + f.Pointer, Reason: f.Reason})
	}
	return &moved
}

// badForm tells a form that is not one from a body that did not arrive.
func badForm(err error) error {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e
	}
	if f, ok := errors.AsType[*fiber.Error](err); ok {
		return f
	}
	return wire.Fail(wire.InvalidParameter, "the form can't be read: it ends early, or its boundary is another")
}

func (m *medium) readJSON(r io.Reader) (*upload, error) {
	var body bytes.Buffer
	if _, err := body.ReadFrom(r); err != nil {
		return nil, err //nolint:wrapcheck // a stream's faults are answers
	}
	o, err := wire.Parse(body.Bytes())
	if err != nil {
		return nil, err
	}
	p := &upload{meta: o}
	p.claim, _ = o.Text("content_type")
	if p.file, err = o.Base64("content_base64", m.most); err != nil {
		return nil, err
	}
	if _, err := m.read(o); err != nil { // all faults at once
		return nil, err
	}
	sum := sha256.Sum256(body.Bytes())
	p.raw = sum[:]
	return p, nil
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json/jsontext"
)

func (s *script) as(args []string) error {
	switch kind := arg(args, 0); kind {
	case "svc":
		s.who = caller{app: arg(args, 1), secret: arg(args, 2)}
	case "bearer":
		s.who = caller{bearer: arg(args, 1)}
	case "moderator":
		if name := arg(args, 1); name != "" {
			s.cookie = s.cookies[name]
		}
		s.who = caller{cookie: s.cookie}
	case "nobody":
		s.who = caller{}
	default:
		return fmt.Errorf("as %q is not known", kind)
	}
	return nil
}

// match has the next call sent with an If-Match.
func (s *script) match(args []string) error {
	s.who.match = arg(args, 0)
	return nil
}

// call remembers the cookie that a sign-in sets.
func (s *script) call(args []string) error {
	status, err := s.ask(args)
	if err == nil && strconv.Itoa(status) != arg(args, 1) {
		err = fmt.Errorf("%s %s = %d, want %s: %v", arg(args, 2), arg(args, 3), status, arg(args, 1), s.last)
	}
	return err
}

// poll asks again while what was changed elsewhere gets round.
func (s *script) poll(args []string) error {
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		if err := s.call(args); err == nil || time.Now().After(end) {
			return err
		}
	}
}

func (s *script) fetch(args []string) error {
	s.who.url = s.gateway(arg(args, 0)).url
	a, err := s.who.call(scriptContext(), "GET", arg(args, 2), "")
	if err != nil {
		return err
	}
	if typ := a.head.Get("Content-Type"); a.status != 200 || !strings.HasPrefix(typ, arg(args, 1)) {
		return fmt.Errorf("%s = %d, %s: %s", arg(args, 2), a.status, typ, a.body)
	}
	return os.WriteFile(s.ts.MkAbs(arg(args, 3)), a.body, 0o600)
}

// awaits asks again until an answer has a member of this value, or for "absent" has none.
// What is asked must change nothing that it waits for: a check that is found wanting is
// itself remembered.
func (s *script) awaits(args []string) error {
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		err := s.call(args[2:])
		if err == nil {
			err = s.want(args[:2])
			if arg(args, 1) == "absent" {
				err = s.absent(arg(args, 0))
			}
		}
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}

// absent is an error where the last answer has a member.
func (s *script) absent(path string) error {
	if got, ok := member(s.last, path); ok {
		return fmt.Errorf("%s = %s, want none: %v", path, plain(got), s.last)
	}
	return nil
}

func (s *script) ask(args []string) (status int, err error) {
	s.last, s.who.url = nil, s.gateway(arg(args, 0)).url
	if target := arg(args, 3); target == "/readyz" { // the detailed one
		s.who.url = s.gateway(arg(args, 0)).admin
	}
	body := arg(args, 4)
	if file, ok := strings.CutPrefix(body, "@"); ok {
		body = s.ts.ReadFile(file)
	}
	who := s.who
	who.key = arg(args, 5)
	a, err := who.call(scriptContext(), arg(args, 2), arg(args, 3), body)
	s.who.match = ""
	if err != nil {
		return 0, err
	}
	if set := a.head.Get("Set-Cookie"); set != "" {
		s.cookie, _, _ = strings.Cut(set, ";")
	}
	text := a.body
	if strings.HasPrefix(a.head.Get("Content-Type"), "application/x-ndjson") { // an array to scripts
		text = append([]byte("["), bytes.ReplaceAll(bytes.TrimSpace(text), []byte("\n"), []byte(","))...)
		text = append(text, ']')
	}
	if !jsontext.Value(text).IsValid() { // nor is it with a name twice: readers differ in which they take
		return a.status, fmt.Errorf("not valid JSON: %s", a.body)
	}
	if err := json.Unmarshal(text, &s.last); err != nil {
		return a.status, fmt.Errorf("%s: %w", a.body, err)
	}
	if name, ok := member(s.last, "name"); ok && a.head.Get("Set-Cookie") != "" {
		s.cookies[plain(name)] = s.cookie
	}
	return a.status, nil
}

func (s *script) becomes(args []string) error {
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		err := s.call([]string{arg(args, 0), "200", "GET", arg(args, 1)})
		if err == nil {
			err = s.want(args[2:])
		}
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}

func (s *script) lines(args []string) error {
	n, err := strconv.Atoi(arg(args, 1))
	if err != nil {
		return err
	}
	var text strings.Builder
	for i := range n {
		text.WriteString(strings.ReplaceAll(arg(args, 2), "#", strconv.Itoa(i+1)) + "\n")
	}
	return os.WriteFile(s.ts.MkAbs(arg(args, 0)), []byte(text.String()), 0o600)
}

func (s *script) joined(args []string) error {
	var all []byte
	for _, name := range args[min(1, len(args)):] {
		all = append(all, s.ts.ReadFile(name)...)
	}
	return os.WriteFile(s.ts.MkAbs(arg(args, 0)), all, 0o600)
}

func (s *script) player(name string) *player {
	p := s.players[name]
	if p == nil {
		s.ts.Fatalf("no player %q", name)
	}
	return p
}

// from is the caller as of now, at a gateway.
func (s *script) from(gateway string) *caller {
	c := s.who
	c.url = s.gateway(gateway).url
	return &c
}

func (s *script) enter(args []string) error {
	p := &player{from: s.from(arg(args, 0)), name: arg(args, 1), scenes: slices.Clone(args[2:])}
	if err := p.hello(scriptContext()); err != nil {
		return err
	}
	s.players[p.name] = p
	for _, scene := range p.scenes {
		if err := p.join(scriptContext(), scene); err != nil {
			return err
		}
	}
	return nil
}

func (s *script) refused(args []string) error {
	p := &player{from: s.from(arg(args, 0)), name: arg(args, 1)}
	err := p.hello(scriptContext())
	if code := websocket.CloseStatus(err); strconv.Itoa(int(code)) != arg(args, 2) {
		return fmt.Errorf("%s was answered with %w, want %s", p.name, err, arg(args, 2))
	}
	return nil
}

func (s *script) watch(args []string) error {
	c := caller{url: s.gateway(arg(args, 0)).url, cookie: s.cookie}
	p := &player{from: &c, name: arg(args, 1)}
	if err := p.hello(scriptContext()); err != nil {
		return err
	}
	s.players[p.name] = p
	if err := p.send(scriptContext(), frame{"type": "feed.subscribe", "id": "feed", "filter": frame{}}); err != nil {
		return err
	}
	return s.keep(p.until(scriptContext(), "ok", "feed"))
}

func (s *script) say(args []string) error {
	p := s.player(arg(args, 0))
	return s.keep(p.say(scriptContext(), arg(args, 1), arg(args, 2), arg(args, 3)))
}

func (s *script) report(args []string) error {
	p, id := s.player(arg(args, 0)), arg(args, 1)
	m := frame{"type": "report", "id": id, "player_id": arg(args, 2), "reason": arg(args, 3)}
	if len(args) > 4 {
		m["scene_id"], m["message_id"] = arg(args, 4), arg(args, 5)
	}
	if err := p.send(scriptContext(), m); err != nil {
		return err
	}
	return s.keep(p.until(scriptContext(), "ok", id))
}

func (s *script) hear(args []string) error {
	for kind := arg(args, 2); ; {
		f, err := s.player(arg(args, 0)).until(scriptContext(), arg(args, 1), "")
		if err != nil || kind == "" || f.str("kind") == kind {
			return s.keep(f, err)
		}
	}
}

// keep makes a frame what came last.
func (s *script) keep(f frame, err error) error {
	s.last = map[string]any(f)
	return err
}

func (s *script) cut(args []string) error {
	s.player(arg(args, 0)).cut()
	return nil
}

func (s *script) resume(args []string) error {
	p := s.player(arg(args, 1))
	p.from.url = s.gateway(arg(args, 0)).url
	return s.keep(p.resume(scriptContext()))
}

func (s *script) closed(args []string) error {
	code, reason := s.player(arg(args, 0)).closed(scriptContext())
	if strconv.Itoa(code) != arg(args, 1) {
		return fmt.Errorf("%s was closed with %d %q, want %s", arg(args, 0), code, reason, arg(args, 1))
	}
	return nil
}

// download is for answers that are no JSON.
func (s *script) download(args []string) error {
	s.who.url = s.gateway(arg(args, 0)).url
	a, err := s.who.call(scriptContext(), arg(args, 2), arg(args, 3), arg(args, 5))
	if err != nil {
		return err
	}
	if strconv.Itoa(a.status) != arg(args, 1) {
		return fmt.Errorf("%s %s = %d, want %s: %s", arg(args, 2), arg(args, 3), a.status, arg(args, 1), a.body)
	}
	head := map[string]any{}
	for name := range a.head {
		head[strings.ToLower(name)] = a.head.Get(name)
	}
	s.last = head
	return os.WriteFile(s.ts.MkAbs(arg(args, 4)), a.body, 0o600)
}

// upload sends a file as a form: upload GATEWAY STATUS TARGET META FILE [TYPE [KEY]].
func (s *script) upload(args []string) error {
	s.last = nil
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("meta", arg(args, 3)); err != nil {
		return err
	}
	head := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="file"`}}
	if kind := arg(args, 5); kind != "" {
		head.Set("Content-Type", kind)
	}
	part, err := form.CreatePart(head)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(part, s.ts.ReadFile(arg(args, 4))); err != nil {
		return err
	}
	if err := form.Close(); err != nil {
		return err
	}
	who := s.from(arg(args, 0))
	who.key = arg(args, 6)
	who.form = form.FormDataContentType()
	a, err := who.call(scriptContext(), "POST", arg(args, 2), body.String())
	if err != nil {
		return err
	}
	if err := json.Unmarshal(a.body, &s.last); err != nil {
		return fmt.Errorf("%s: %w", a.body, err)
	}
	if strconv.Itoa(a.status) != arg(args, 1) {
		return fmt.Errorf("POST %s = %d, want %s: %s", arg(args, 2), a.status, arg(args, 1), a.body)
	}
	return nil
}

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// What scripts can do beside testscript's own commands. NAME is a gateway or a
// player of the script's choosing; what came back last is what want, save and
// size look at.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"serve":     inScript((*script).serve),     // serve NAME [KEY=VALUE…] [flag…]: sets $NAME to its address, $NAME_admin too
	"terminate": inScript((*script).terminate), // terminate NAME: SIGTERM
	"ended":     inScript((*script).ended),     // ended NAME: it went with exit status 0
	"crash":     inScript((*script).crash),     // crash NAME: SIGKILL
	"logged":    inScript((*script).logged),    // logged NAME REGEXP: waits for it
	"setup":     inScript((*script).setup),     // setup NAME VAR: the token of the set-up link that it printed

	"as":       inScript((*script).as),       // as svc APP SECRET | as bearer TOKEN | as moderator [NAME], the last who signed in | as nobody
	"call":     inScript((*script).call),     // call GATEWAY STATUS METHOD TARGET [BODY|@FILE [KEY]]: KEY is its Idempotency-Key
	"until":    inScript((*script).poll),     // until GATEWAY STATUS METHOD TARGET [BODY]: asks again until the status is that
	"read":     inScript((*script).read),     // read FILE: a tool's JSON
	"lines":    inScript((*script).lines),    // lines FILE N TEMPLATE: writes N lines, each with its number for #
	"joined":   inScript((*script).joined),   // joined FILE PART…: one file of several
	"becomes":  inScript((*script).becomes),  // becomes GATEWAY TARGET PATH VALUE: asks again until the member is that
	"fetch":    inScript((*script).fetch),    // fetch GATEWAY TYPE TARGET FILE: puts what is no JSON into a file
	"want":     inScript((*script).want),     // [!] want PATH [VALUE]: a member of the JSON that came last
	"save":     inScript((*script).save),     // save VAR PATH
	"picture":  inScript((*script).picture),  // picture FILE KIND [WORD…]: makes one; see picture_test.go
	"sound":    inScript((*script).sound),    // sound FILE KIND [FINDING…]: makes one; see sound_test.go
	"upload":   inScript((*script).upload),   // upload GATEWAY STATUS TARGET META FILE [TYPE [KEY]]: sends a file as a form
	"inline":   inScript((*script).inline),   // inline VAR FILE: a file in base64
	"download": inScript((*script).download), // download GATEWAY STATUS METHOD TARGET FILE [BODY]: keeps the body; the headers are the JSON that came last
	"match":    inScript((*script).match),    // match VERSION: the next call is meant for this version
	"awaits":   inScript((*script).awaits),   // awaits PATH VALUE GATEWAY STATUS METHOD TARGET [BODY]: asks again until the answer has that ("absent": has none)

	"enter":   inScript((*script).enter),   // enter GATEWAY PLAYER SCENE…: a session that has joined these
	"refused": inScript((*script).refused), // refused GATEWAY PLAYER CODE: its hello is answered with this close
	"watch":   inScript((*script).watch),   // watch GATEWAY NAME: the moderator's feed
	"say":     inScript((*script).say),     // say PLAYER ID SCENE TEXT: the verdict
	"report":  inScript((*script).report),  // report PLAYER ID OTHER REASON [SCENE MESSAGE]: the answer
	"hear":    inScript((*script).hear),    // hear PLAYER TYPE [KIND]: the next of that type, and kind
	"cut":     inScript((*script).cut),     // cut PLAYER: the network fails
	"resume":  inScript((*script).resume),  // resume GATEWAY PLAYER: the first message
	"closed":  inScript((*script).closed),  // closed PLAYER CODE

	"soon":   inScript((*script).soon),   // soon DATA PENALTY: it ends once a gateway has started; now none runs
	"factor": inScript((*script).factor), // factor GATEWAY PLAYER CODE SCORE: waits for it
}

// script is the state of one running script.
type script struct {
	ts       *testscript.TestScript
	gateways map[string]*process
	players  map[string]*player
	who      caller
	cookie   string
	cookies  map[string]string // of each who signed in, by name
	last     any
	start    time.Duration // how long the last gateway took to start
}

type scriptKey struct{}

func setupScript(env *testscript.Env) error {
	env.Vars = append(env.Vars, "USER=tester", "TOMORROW="+time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339))
	sounds, err := filepath.Abs("../../streams/voice/testdata")
	if err != nil {
		return err
	}
	env.Vars = append(env.Vars, "SOUNDS="+sounds)
	s := &script{gateways: map[string]*process{}, players: map[string]*player{}, cookies: map[string]string{}}
	env.Values[scriptKey{}] = s
	env.Defer(func() {
		for _, p := range s.players {
			p.cut()
		}
		for name, g := range s.gateways {
			if err := g.kill(); err != nil {
				env.T().Log(err)
			}
			if log := g.log.String(); strings.Contains(log, "DATA RACE") || strings.Contains(log, "stream: panic") {
				env.T().Fatal("the log of " + name + ":\n" + log)
			}
		}
	})
	return nil
}

// errMissing is what a negated command wants: the thing is not there.
var errMissing = errors.New("is missing")

func inScript(f func(*script, []string) error) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		s, ok := ts.Value(scriptKey{}).(*script)
		if !ok {
			ts.Fatalf("the script was not set up")
		}
		s.ts = ts
		err := f(s, args)
		switch {
		case neg && err == nil:
			ts.Fatalf("there is one: %v", s.last)
		case neg && !errors.Is(err, errMissing), !neg && err != nil:
			ts.Fatalf("%v", err)
		}
	}
}

// arg returns argument i, "" past the end.
func arg(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return ""
}

func (s *script) gateway(name string) *process {
	g := s.gateways[name]
	if g == nil {
		s.ts.Fatalf("no gateway %q", name)
	}
	return g
}

func (s *script) serve(args []string) error {
	name, env := arg(args, 0), append(cleanEnvironment(), "USER=tester")
	rest := args[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "PORTCULLIS_") {
		env, rest = append(env, rest[0]), rest[1:]
	}
	began := time.Now()
	p, err := startProcess(env, s.ts.Getenv("WORK"), rest...)
	s.start = time.Since(began)
	if err != nil {
		return err
	}
	s.gateways[name] = p
	s.ts.Setenv(name, p.url)
	s.ts.Setenv(name+"_admin", p.admin)
	return nil
}

func (s *script) terminate(args []string) error {
	return s.gateway(arg(args, 0)).cmd.Process.Signal(syscall.SIGTERM)
}

func (s *script) ended(args []string) error { return s.gateway(arg(args, 0)).wait() }
func (s *script) crash(args []string) error { return s.gateway(arg(args, 0)).kill() }

// logged waits for a line: it comes through a pipe, after the answer that it is about.
func (s *script) logged(args []string) error {
	wanted := regexp.MustCompile(arg(args, 1))
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		log := s.gateway(arg(args, 0)).log.String()
		if wanted.MatchString(log) {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("log of %s: %q %w:\n%s", arg(args, 0), arg(args, 1), errMissing, log)
		}
	}
}

// setup waits for the link unless the gateway has ended.
func (s *script) setup(args []string) error {
	g := s.gateway(arg(args, 0))
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		_, token, _ := strings.Cut(g.out.String(), "/console/#/setup?token=")
		if token, _, ok := strings.Cut(token, "\n"); ok {
			s.ts.Setenv(arg(args, 1), token)
			return nil
		}
		if len(g.ended) > 0 || time.Now().After(end) {
			return fmt.Errorf("set-up link %w: %q", errMissing, g.out)
		}
	}
}

func (s *script) read(args []string) error {
	s.last = nil
	return json.Unmarshal([]byte(s.ts.ReadFile(arg(args, 0))), &s.last)
}

func (s *script) want(args []string) error {
	got, ok := member(s.last, arg(args, 0))
	if !ok {
		return fmt.Errorf("%s %w: %v", arg(args, 0), errMissing, s.last)
	}
	if want := arg(args, 1); len(args) > 1 && plain(got) != want {
		return fmt.Errorf("%s = %s, want %s: %v", arg(args, 0), plain(got), want, s.last)
	}
	return nil
}

func (s *script) save(args []string) error {
	got, ok := member(s.last, arg(args, 1))
	if !ok {
		return fmt.Errorf("%s %w: %v", arg(args, 1), errMissing, s.last)
	}
	s.ts.Setenv(arg(args, 0), plain(got))
	return nil
}

// plain is JSON as a script writes it: texts without quotes.
func plain(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// scriptContext is for what a script does: testscript has no context to give,
// and every call has its own bound.
func scriptContext() context.Context { return context.Background() }

// soon moves the end of a penalty, since the shortest takes an hour: to some seconds
// after the next gateway has started, by how long the last one took.
func (s *script) soon(args []string) (err error) {
	db, err := sql.Open("sqlite", "file:"+s.ts.MkAbs(arg(args, 0))+"/core.db")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	res, err := db.ExecContext(scriptContext(), `UPDATE penalty SET expires_ts = $1 WHERE penalty_id = $2`, time.Now().Add(4*time.Second+3*s.start).UnixMilli(), arg(args, 1))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); n != 1 || err != nil {
		return fmt.Errorf("%d penalties were changed, %w", n, err)
	}
	return nil
}

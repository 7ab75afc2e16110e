// Command portcullis is the gateway and its tools in one binary. Its parts are
// built in app.go in the order in which data flows; this file is glue.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // schedules go by time zones, which a bare machine lacks
)

const usage = `Portcullis, a safety gateway for online games.

  portcullis serve    run the gateway            [--listen ADDR --admin ADDR --data DIR --config FILE]
  portcullis worker   look at pictures and listen to sounds for gateways that ask: worker --engines image,audio [--slots N --config FILE --admin ADDR]
  portcullis keys     create, list, rotate, revoke an app's secrets; mint a token
  portcullis users    create, list moderators
  portcullis banks    fill banks of known pictures: banks import, list, test, retire
  portcullis audit    check the audit log: audit verify, key, checkpoint
  portcullis evidence check an archive of evidence: evidence verify FILE.zip
  portcullis bench    measure speed: bench chat --help, bench text --help
  portcullis say      speak an Opus file into a scene as a live call: say FILE --help
  portcullis eval     measure how often it is right: eval text --help
  portcullis explain  what is found in a text, and why
  portcullis policy   check layers and word lists; say which layer sets what
  portcullis models   list, fetch and check the models that engines use
  portcullis train    make the weights of the text classifier: train text --help, train text-blend --help
  portcullis version  what this binary is

portcullis ROLE --help tells more.
`

// std is where a role reads and writes.
type std struct {
	in       io.Reader
	out, err io.Writer
}

// say writes to standard output, note to standard error. A closed one has nobody
// to be told of it.
func (s std) say(format string, args ...any) { _, _ = fmt.Fprintf(s.out, format, args...) }

func (s std) note(format string, args ...any) { _, _ = fmt.Fprintf(s.err, format, args...) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], std{os.Stdin, os.Stdout, os.Stderr}))
}

// run returns the exit status: 2 for a call that was not understood.
func run(ctx context.Context, args []string, io std) int {
	roles := map[string]func(context.Context, []string, std) error{
		"serve": serve, "worker": worker, "keys": keys, "users": users, "bench": bench, "say": say, "eval": evaluate, "explain": explain, "policy": policyRole, "train": trainModel,
		"version": showVersion, "audit": auditRole, "banks": banksRole, "evidence": evidenceRole, "models": modelsRole,
	}
	if len(args) == 0 {
		io.note("%s", usage)
		return 2
	}
	role, ok := roles[args[0]]
	if !ok {
		io.note("%s", usage)
		if args[0] == "help" || args[0] == "--help" || args[0] == "-h" {
			return 0
		}
		io.note("\nportcullis: no role %q\n", args[0])
		return 2
	}
	err := role(ctx, args[1:], io)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		io.note("portcullis: %v\n", err)
		return 2
	}
	io.note("portcullis: %v\n", err)
	return 1
}

// errUsage is a call that was not understood.
var errUsage = errors.New("usage")

func badUsage(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errUsage, fmt.Sprintf(format, args...))
}

// newFlags makes a flag set that reports its faults through the error.
func newFlags(name string, io std) *flag.FlagSet {
	f := flag.NewFlagSet("portcullis "+name, flag.ContinueOnError)
	f.SetOutput(io.err)
	return f
}

// parse reads flags and refuses what is left over.
func parse(f *flag.FlagSet, args []string) error {
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return badUsage("%v", err)
	}
	if f.NArg() > 0 {
		return badUsage("%s: unexpected %q", f.Name(), f.Arg(0))
	}
	return nil
}

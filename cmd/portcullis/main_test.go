package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestMain makes this test binary also the command portcullis, which scripts and
// tests start as a process of its own: the same run, and where the tests look
// for races, so does it.
func TestMain(m *testing.M) {
	// Most of what the tests do is wait, for gateways that are processes of their own: more
	// of them run beside each other than there are processors. A -parallel wins over this.
	if err := flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
	inspecting = func(e engines.Engine) engines.Engine { return lateEngine{e} }
	inspectingImages = func(e engines.Engine) engines.Engine { return toldEngine{e} }
	inspectingAudio = func(e engines.Engine) engines.Engine { return toldEngine{e} }
	testscript.Main(m, map[string]func(){"portcullis": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		os.Exit(run(ctx, os.Args[1:], std{os.Stdin, os.Stdout, os.Stderr}))
	}})
}

// lateEngine is late for texts that say so.
type lateEngine struct{ engines.Engine }

// tooLong are words with which a text takes the engine longer than its deadline.
const tooLong = "(an epic of a thousand verses)"

func (e lateEngine) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if strings.Contains(item.Text, tooLong) {
		return out, context.DeadlineExceeded
	}
	return e.Engine.Inspect(ctx, item, out)
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                scriptCommands,
		Setup:               setupScript,
	})
}

package bench

import (
	"errors"
	"flag"
	"io"
	"time"
)

const voiceUsage = `Usage: portcullis bench voice [flags]

Starts a gateway and calls it: players whose clients are in this process, each with a
socket of its own, speak an Opus file in its own time, so many of them at once, the
others send silence. Now and then one says a threat. Printed are the gateway's CPU time
and memory, how long a packet took until it was measured, how long calls took to set up,
what is left after all have ended, and how long a threat took from its last packet until
its player was told (which is after it is on disk and in the feed).

What is written down depends on the models: PORTCULLIS_MODELS, or data/models. With
--no-words nothing is: what is left is what each call costs, be it said or not (received,
decoded, measured, and whether somebody speaks). Memory is what is in use after a
collection, beside what the gateway has before the calls, in which models are.

`

// voiceOptions are the flags of `bench voice`.
type voiceOptions struct {
	streams, speaking int
	duration          time.Duration
	config, language  string
	profile           string
	noWords           bool
	asJSON, goals     bool
}

func parseVoice(args []string, stderr io.Writer) (*voiceOptions, error) {
	o := &voiceOptions{}
	f := flag.NewFlagSet("bench voice", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, voiceUsage); f.PrintDefaults() }
	f.IntVar(&o.streams, "streams", 20, "calls")
	f.IntVar(&o.speaking, "speaking", 5, "how many of them speak at a time")
	f.DurationVar(&o.duration, "duration", 20*time.Second, "measured time; from 5m on whether memory grows is printed too")
	f.StringVar(&o.config, "config", "", "configuration `file` of the gateway")
	f.StringVar(&o.language, "language", "en", "of the players, as their tickets have it: what is said is English; \"\" has the recogniser find out")
	f.StringVar(&o.profile, "profile", "", "write the gateway's CPU profile of the measured time to this `file`, which costs it a little")
	f.BoolVar(&o.noWords, "no-words", false, "write down nothing of what is said")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.goals, "goals", false, "print the project's goals beside the figures")
	if err := f.Parse(args); err != nil {
		return nil, err //nolint:wrapcheck // flag.ErrHelp, or printed
	}
	switch {
	case o.streams < 1 || o.streams > 2000:
		return nil, errors.New("bench voice: --streams: must be 1 to 2000")
	case o.speaking < 0 || o.speaking > o.streams:
		return nil, errors.New("bench voice: --speaking: must be 0 to --streams")
	case o.noWords && o.config != "":
		return nil, errors.New("bench voice: --no-words: with --config, write audio.words: [] into that file")
	case o.duration < 5*time.Second || o.duration > time.Hour:
		return nil, errors.New("bench voice: --duration: must be 5s to 1h")
	}
	return o, nil
}

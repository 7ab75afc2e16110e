package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// round is one stretch of load on one target.
type round struct {
	plan   schedule
	target *target
	side   *tally
	lines  *corpus
	tag    string // makes the ids of this round differ from any other's
	first  int    // number of its first message in the corpus
	// fan is how many pushes each delivered message brings.
	fan int

	open  []bool // message i is sent and not answered
	left  int    // messages without an answer
	clean histogram
	// flight finds the message of a push: request_id to message number, and how
	// many of its pushes are still to come. early holds pushes that overtook
	// their verdict. Both are bounded by the messages of a round.
	flight map[string]*copies
	early  map[string][]time.Duration
	// What the clocks said when the measured part began.
	cpu, own time.Duration
	opened   time.Time
}

// copies are the pushes of one delivered message.
type copies struct{ message, due int }

func newRound(t *target, side *tally, lines *corpus, number, fan int, plan schedule) *round {
	return &round{
		plan: plan, target: t, side: side, lines: lines, fan: fan,
		tag: "r" + strconv.Itoa(number) + "-", first: number * plan.total,
		open: make([]bool, plan.total), left: plan.total,
		flight: make(map[string]*copies), early: make(map[string][]time.Duration),
	}
}

// over reports that every message is sent and answered, with all its copies.
func (r *round) over() bool {
	return r.left == 0 && r.plan.next >= r.plan.total && len(r.flight) == 0
}

// appendMessage appends chat message i as JSON.
func (r *round) appendMessage(b []byte, scene string, i int) []byte {
	text, _ := r.lines.line(r.first + i)
	b = append(b, `{"type":"chat","id":"`...)
	b = append(b, r.tag...)
	b = strconv.AppendInt(b, int64(i), 10)
	b = append(b, scene...)
	b, err := jsontext.AppendQuote(b, text)
	if err != nil { // lines are valid UTF-8: readLines and the built-in mix see to it
		panic(fmt.Sprintf("bench: quote line: %v", err))
	}
	return append(b, '}')
}

func (r *round) noteSent(i int, now time.Duration) {
	r.open[i] = true
	if i >= r.plan.warm {
		r.side.sent++
		r.side.lag.add(now - r.plan.due(i))
	}
}

// openWindow and closeWindow stand at the two ends of the measured part.
func (r *round) openWindow() (err error) {
	r.opened = time.Now()
	r.cpu, r.own, err = r.clocks()
	return err
}

func (r *round) closeWindow() error {
	cpu, own, err := r.clocks()
	r.side.cpu += cpu - r.cpu
	r.side.own += own - r.own
	r.side.wall += time.Since(r.opened)
	return err
}

// clocks reads the CPU time of the server, 0 where its process isn't known, and
// our own.
func (r *round) clocks() (server, own time.Duration, err error) {
	if r.target.pid != 0 {
		if server, err = cpuTime(r.target.pid); err != nil {
			return 0, 0, err
		}
	}
	own, err = cpuTime(os.Getpid())
	return server, own, err
}

// note counts one frame that came at the given time.
func (r *round) note(m answer, at time.Duration) {
	switch m.Type {
	case "message":
		r.notePush(m.MessageID, at)
	case "verdict", "error", "chat": // the echo sends the chat message itself back
		digits, ours := strings.CutPrefix(m.ID, r.tag)
		i, err := strconv.Atoi(digits)
		if !ours || err != nil || i < 0 || i >= len(r.open) || !r.open[i] {
			if m.Type == "error" {
				r.side.faults["error "+strconv.Itoa(m.Code)]++
			}
			return // an answer of an earlier round that came too late, counted there
		}
		r.open[i] = false
		r.left--
		r.noteAnswer(i, m, at)
	}
}

func (r *round) noteAnswer(i int, m answer, at time.Duration) {
	if m.Type == "error" {
		r.side.faults["error "+strconv.Itoa(m.Code)]++
		return
	}
	if r.fan > 0 && m.Type == "verdict" {
		r.expectPushes(i, m)
	}
	if i < r.plan.warm {
		return
	}
	took := at - r.plan.due(i)
	r.side.answered++
	_, abusive := r.lines.line(r.first + i)
	if flagged := m.Suggestion != "" && m.Suggestion != "pass"; flagged {
		r.side.flagged.add(took)
		if !abusive {
			r.side.surprises++
		}
		return
	}
	r.clean.add(took)
	if abusive && m.Type == "verdict" {
		r.side.misses++
	}
}

// expectPushes notes that a delivered message has its copies to come, and
// counts those that came first.
func (r *round) expectPushes(i int, m answer) {
	early := r.early[m.RequestID]
	delete(r.early, m.RequestID)
	if m.Action != "deliver" && m.Action != "mask" {
		return
	}
	c := &copies{message: i, due: r.fan}
	r.flight[m.RequestID] = c
	for _, at := range early {
		r.countPush(m.RequestID, c, at)
	}
}

func (r *round) notePush(id string, at time.Duration) {
	if r.fan == 0 {
		return
	}
	if c := r.flight[id]; c != nil {
		r.countPush(id, c, at)
		return
	}
	r.early[id] = append(r.early[id], at)
}

func (r *round) countPush(id string, c *copies, at time.Duration) {
	if c.due--; c.due == 0 {
		delete(r.flight, id)
	}
	if c.message >= r.plan.warm {
		r.side.pushes++
		r.side.delivery.add(at - r.plan.due(c.message))
	}
}

// finish adds the round to its side.
func (r *round) finish() {
	for i, open := range r.open {
		if open && i >= r.plan.warm {
			r.side.unanswered++
		}
	}
	for _, c := range r.flight {
		if c.message >= r.plan.warm {
			r.side.faults["push missing"] += c.due
		}
	}
	r.side.p50 = append(r.side.p50, r.clean.quantile(0.50))
	r.side.p99 = append(r.side.p99, r.clean.quantile(0.99))
	r.side.clean.merge(&r.clean)
}

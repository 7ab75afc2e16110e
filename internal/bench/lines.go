package bench

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Clean chat in four languages. A place and a number are
// filled in, so that no player says the same line over and over, which a spam rule
// would rightly notice.
var cleanLines = []string{
	"anyone up for {place} after this round? I have {n} minutes left",
	"gg well played everyone, see you at the {place} in {n}",
	"push mid together when the timer shows {n}, I will hold {place}",
	"can somebody heal me near the {place}? I am down to {n}",
	"I found {n} pieces of ore behind the {place}, come and get some",
	"new here, how do I get to {place}? level {n} says it is locked",
	"nice save! that was round {n} and we still hold the {place}",
	"trading potions for arrows at the {place}, I have {n}",
	"the boss comes out of the {place} after {n} seconds, be ready",
	"brb, dinner. start the {place} without me if it takes over {n} minutes",
	"{place} で待ってます、あと {n} 分くらいで行けます",
	"ナイス！ラウンド {n} お疲れさまでした、次は {place} に行きましょう",
	"大家好，第 {n} 关打完了，一起去 {place} 吗？",
	"我在 {place} 等你们，还差 {n} 个人",
	"{place} 앞에서 만나요, {n} 분 뒤에 갈게요",
	"수고하셨습니다! {n} 라운드 끝나면 {place} 로 가요",
}

var places = []string{
	"the bridge", "north gate", "harbor", "old mill", "tower", "crystal cave", "lobby", "east camp",
	"market", "library", "river", "snow field", "arena", "lighthouse", "garden", "workshop",
}

// Abusive lines, plain ones that any policy has to stop.
var flaggedLines = []string{
	"go kill yourself you worthless idiot, round {n}",
	"I will find you and kill you, you stupid bitch {n}",
	"shut up you retarded faggot, nobody wants you here {n}",
	"you are a fucking worthless piece of shit {n}",
	"kys loser, uninstall the game {n}",
}

// corpus makes the line of a message from its number alone, so that a run can
// be repeated.
type corpus struct {
	own     []string // the lines of --messages; nil for the built-in mix
	flagged float64  // share of built-in abusive lines
}

// scatter spreads message numbers (splitmix64), so that which line is said and
// which message is abusive don't line up with which session says it.
func scatter(i uint64) uint64 {
	i += 0x9E3779B97F4A7C15
	i = (i ^ i>>30) * 0xBF58476D1CE4E5B9
	i = (i ^ i>>27) * 0x94D049BB133111EB
	return i ^ i>>31
}

// line returns message i and whether it is meant to be flagged.
func (c *corpus) line(i int) (text string, flagged bool) {
	r := scatter(uint64(i))
	n := strconv.FormatUint(r>>40%900, 10)
	if float64(r&0xFFFF) < c.flagged*0x10000 {
		return strings.Replace(pick(flaggedLines, r>>16), "{n}", n, 1), true
	}
	if c.own != nil {
		return pick(c.own, r>>16), false
	}
	line := strings.Replace(pick(cleanLines, r>>16&0xFFFF), "{n}", n, 1)
	return strings.Replace(line, "{place}", pick(places, r>>32&0xFF), 1), false
}

func pick(from []string, r uint64) string { return from[r%uint64(len(from))] }

// readLines reads the file of --messages: one message a line, empty ones left out.
func readLines(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	defer func() { _ = f.Close() }() // read only: nothing to lose
	var lines []string
	in := bufio.NewScanner(f)
	for in.Scan() {
		if s := strings.TrimSpace(strings.ToValidUTF8(in.Text(), "�")); s != "" {
			lines = append(lines, s)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	if lines == nil {
		return nil, errors.New("messages: " + name + " has no line")
	}
	return lines, nil
}

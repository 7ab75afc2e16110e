package text

// stance says of words who speaks of a deed, and how: no part of any deed; see reported.go.
type stance uint8

const (
	stanceNews   stance = 1 << iota // what media tell: on the news, a documentary
	stanceCaught                    // what became of the doer: arrested, sentenced
	stanceVictim                    // who lost what he had: fell for it, got hacked
	stanceWarn                      // said to others: don't click, watch out
	stanceTold                      // what was done about it and who tried: reported him, posing as
	stanceHelp                      // where help is to be had: a crisis line
	stanceStore                     // a shop that sells games: on steam
)

// stances are the keys of a list's vocabulary that are stances.
var stances = map[string]stance{
	"news": stanceNews, "caught": stanceCaught, "victim": stanceVictim, "warn": stanceWarn, "told": stanceTold, "help": stanceHelp, "store": stanceStore,
}

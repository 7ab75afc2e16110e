package text

// facet says what the words of a list's vocabulary are about where no topic does, as a
// second set beside topic: what deeds are made of that are offered, asked for and urged.
type facet uint64

const (
	facetPill      facet = 1 << iota // tablets by shape or colour: the strip, the blues
	facetShortcut                    // how no true paper comes: no test, in the database, with grades
	facetProcure                     // gets somebody something: I can arrange
	facetPerson                      // somebody who lives: my ex, a guy, the neighbour
	facetVanish                      // what is done to him: made to disappear, beaten up
	facetHire                        // who does it for money: who does it, for hire
	facetShare                       // what is left of the take: we split, you keep half
	facetCyber                       // breaking in, knocking off line, as a service
	facetOrgan                       // a kidney
	facetSedate                      // what puts somebody to sleep
	facetUnnoticed                   // and how: no taste, she won't notice
	facetWound                       // a way to die
	facetRelief                      // what it is praised for: the easy way, feel nothing
	facetPickup                      // a child fetched: after school, in my car
	facetNote                        // bank notes as a ware
	facetPaid                        // a way to pay that no game has: paypal, real money
	facetTag                         // stands before a price: price, cost
	facetTalk                        // speaks about offers: too dear, spent, reported, keep away, the official shop
	// What bargains in roundabout words are made of, and what more deeds are.
	facetHolding // what one has in a game, as a whole: my inventory, the guild bank, top-ups
	facetLeaving // leaves the game, empties the store, takes offers
	facetWorth   // set against the price of shop or market: 70 % of market, half price
	facetSpan    // the time or feat that something is hired for: per night, weekly key
	facetHanded  // what is handed over, and how: mail included, by gift, paid instantly
	facetCounter // where the prices hang, and how one is reached without a name: rates in private, open a ticket
	facetProxy   // plays in somebody's place: I play your placements
	facetMeasure // small measures: half a gram, a strip
	facetTreat   // nicknames of drugs that are words of anybody: something for the weekend
	facetBlaze   // what is burnt or broken: the shop burns, tyres slashed
	facetPlastic // cards of others: cards with pin
	facetLoaded  // and what lies on them: balance guaranteed, the owner won't notice
	facetLend    // money that passes through somebody's account
	facetKeep    // and what is left for him: 400 stays with you
	facetLure    // gifts that a child is promised
	facetDrill   // arms training in earnest: rifles, for the day
	facetPiece   // a gun by nicknames: a strap
	facetRounds  // and what it comes with: two mags, no serial
	facetRates   // the prices are told elsewhere: rates in private, ask for the menu
	facetNews    // what media tell: on the news, a documentary
	facetCaught  // what became of the doer: arrested, sentenced
	facetVictim  // who lost what he had: fell for it, got hacked
	facetWarn    // said to others: don't click, watch out
	facetTold    // what was done about it and who tried: reported him, posing as
	facetHelp    // where help is to be had: a crisis line
	facetStore   // a shop that sells games: on steam
)

// facetFrames are those that say who speaks of a deed, no part of any: see reported.go.
const facetFrames = facetNews | facetCaught | facetVictim | facetWarn | facetTold | facetHelp | facetStore

// facets are the keys of a list's vocabulary that are facets.
var facets = map[string]facet{
	"pill": facetPill, "shortcut": facetShortcut, "procure": facetProcure, "person": facetPerson, "vanish": facetVanish, "hire": facetHire,
	"share": facetShare, "cyber": facetCyber, "organ": facetOrgan, "sedate": facetSedate, "unnoticed": facetUnnoticed, "wound": facetWound,
	"relief": facetRelief, "pickup": facetPickup, "note": facetNote, "tag": facetTag, "talk": facetTalk, "paid": facetPaid, // a topic too: money
	"holding": facetHolding, "leaving": facetLeaving, "worth": facetWorth, "span": facetSpan, "handed": facetHanded, "counter": facetCounter,
	"proxy": facetProxy, "measure": facetMeasure, "treat": facetTreat, "blaze": facetBlaze, "plastic": facetPlastic, "loaded": facetLoaded,
	"lend": facetLend, "keep": facetKeep, "lure": facetLure, "drill": facetDrill, "piece": facetPiece, "rounds": facetRounds, "rates": facetRates,
	"news": facetNews, "caught": facetCaught, "victim": facetVictim, "warn": facetWarn, "told": facetTold, "help": facetHelp, "store": facetStore,
}

// kind is a set of what words are about: one of its topics or one of its facets.
type kind struct {
	t topic
	f facet
}

// none reports whether nothing is asked for.
func (k kind) none() bool { return k.t == 0 && k.f == 0 }

// of reports whether words on the topics and facets are of the kind.
func (k kind) of(t topic, f facet) bool { return k.t&t != 0 || k.f&f != 0 }

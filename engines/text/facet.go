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
	facetService                     // what is no trade of anybody's, as a service: breaking in, knocking off line, an exam sat for others, a border crossed
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
	facetPiece   // a gun by nicknames: a strap, iron
	facetRounds  // and what it comes with: two mags, no serial, clean
	facetRates   // the prices are told elsewhere: rates in private, ask for the menu
	// Who is recruited, to what, and what he is given for it.
	facetFighter  // who is sought: fighters, comrades, brothers of the faith
	facetUprising // to what: armed struggle, by blood, strike the invaders
	facetArmed    // weapons provided, trained in them
	facetJourney  // the way is paid, the border crossed
	facetRealm    // where all of that is play or history: guild, siege, horde, century
	// What a child is lured by.
	facetChild   // a class or an age: fifth grade, only eleven
	facetYears   // makes a number an age: years old
	facetGrade   // makes a number a class: grade
	facetYouAre  // makes the number after it an age: you're
	facetSelfie  // a picture of oneself, the camera on
	facetErase   // delete the chat, between us
	facetParents // your parents, and that they see nothing
	facetGift    // I give you gems, skins
	facetGuard   // parents' talk, advice, one's own account: my son, never send, I gained
	// Arms and drugs by words of the street.
	facetWant   // who has, I need, who knows where
	facetCash   // the money is there
	facetStreet // a drug by what else is called so: grass, snow, green
	facetDose   // its measure: gram, a ten bag, the menu
	// What is sold of networks and by subscription.
	facetFame    // followers, likes, views
	facetNetwork // where: tiktok, insta
	facetPace    // how fast and how true: same day, real ones, with guarantee
	facetTerm    // for how long: a month, a week, lifetime
	facetSafe    // never banned, undetected
	facetTrial   // try it for nothing
	facetIdle    // you no longer play it, old accounts
	facetCard    // cards and logins that are taken from others
)

// facets are the keys of a list's vocabulary that are facets.
var facets = map[string]facet{
	"pill": facetPill, "shortcut": facetShortcut, "procure": facetProcure, "person": facetPerson, "vanish": facetVanish, "hire": facetHire,
	"share": facetShare, "cyber": facetService, "service": facetService, "organ": facetOrgan, "sedate": facetSedate, "unnoticed": facetUnnoticed, "wound": facetWound,
	"relief": facetRelief, "pickup": facetPickup, "note": facetNote, "tag": facetTag, "talk": facetTalk, "paid": facetPaid, // a topic too: money
	"holding": facetHolding, "leaving": facetLeaving, "worth": facetWorth, "span": facetSpan, "handed": facetHanded, "counter": facetCounter,
	"proxy": facetProxy, "measure": facetMeasure, "treat": facetTreat, "blaze": facetBlaze, "plastic": facetPlastic, "loaded": facetLoaded,
	"lend": facetLend, "keep": facetKeep, "lure": facetLure, "drill": facetDrill, "piece": facetPiece, "rounds": facetRounds, "rates": facetRates,
	"fighter": facetFighter, "uprising": facetUprising, "armed": facetArmed, "journey": facetJourney, "realm": facetRealm, "child": facetChild,
	"years": facetYears, "grade": facetGrade, "youare": facetYouAre, "selfie": facetSelfie, "erase": facetErase, "parents": facetParents,
	"gift": facetGift, "guard": facetGuard, "want": facetWant, "cash": facetCash,
	"slang": facetStreet, "dose": facetDose, "fame": facetFame, "network": facetNetwork, "pace": facetPace, "term": facetTerm,
	"safe": facetSafe, "trial": facetTrial, "idle": facetIdle, "card": facetCard,
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

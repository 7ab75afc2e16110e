package stats

import (
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Other is the name of what is past a bound.
const Other = store.StatOther

// Bounds of one app in one hour, at one gateway.
const (
	maxCells  = 4096 // of verdicts, and of labels; past that what callers name is "other"
	maxScenes = 128
	maxNames  = 64 // languages, regions, segments each
	// maxDayScenes bounds the scenes of a day.
	maxDayScenes = 256
)

// verdictKey is what a verdict is counted by.
type verdictKey struct {
	kind                      engines.Kind
	way                       string
	mode                      engines.Mode
	language, region, segment string
	suggestion                engines.Suggestion
	action                    engines.Action
	degraded                  bool
}

func (k *verdictKey) dims() []string {
	degraded := "no"
	if k.degraded {
		degraded = "yes"
	}
	return []string{string(k.kind), k.way, string(k.mode), k.language, k.region, k.segment, string(k.suggestion), string(k.action), degraded}
}

// verdictCell counts verdicts, the time they took in µs, and how many took how long.
type verdictCell struct {
	key  verdictKey // as it is stored
	n    int64
	took int64
	by   [store.StatBuckets]int64
}

type labelKey struct {
	category                  engines.Category
	sub                       string
	source                    engines.Source
	kind                      engines.Kind
	mode                      engines.Mode
	language, region, segment string
	suggestion                engines.Suggestion
	action                    engines.Action
}

func (k *labelKey) dims() []string {
	return []string{
		string(k.category), k.sub, string(k.source), string(k.kind), string(k.mode), k.language, k.region, k.segment, string(k.suggestion), string(k.action),
	}
}

// labelCell counts labels, and verdicts that had its category for the first time.
type labelCell struct {
	key         labelKey
	n, verdicts int64
}

type sceneKey struct {
	scene engines.SceneID
	kind  engines.Kind
	mode  engines.Mode
}

type sceneCell struct {
	key                        sceneKey
	day                        engines.SceneID // its name in the day
	n, review, block, degraded int64
}

// statementKey is what a statement of reasons is counted by.
type statementKey struct{ ground, category, content, source, automated, visibility, account string }

func (k *statementKey) dims() []string {
	return []string{k.ground, k.category, k.content, k.source, k.automated, k.visibility, k.account}
}

type statementCell struct {
	key statementKey
	n   int64
}

type economyKey struct{ log, what, action, source string }

// economyCell counts entries and what they moved.
type economyCell struct {
	key     economyKey
	n       int64
	in, out int64
}

// slot is what an app counted in one hour and is not written yet. Maps are by what
// callers said; several keys may lead to one cell.
type slot struct {
	hour     int64
	verdicts map[verdictKey]*verdictCell
	labels   map[labelKey]*labelCell
	scenes   map[sceneKey]*sceneCell
	economy  map[economyKey]*economyCell

	statements map[statementKey]*statementCell

	languages, regions, segments names
	sceneNames                   names
}

func newSlot(hour int64) *slot {
	return &slot{
		hour: hour, verdicts: map[verdictKey]*verdictCell{}, labels: map[labelKey]*labelCell{}, scenes: map[sceneKey]*sceneCell{}, economy: map[economyKey]*economyCell{},
		statements: map[statementKey]*statementCell{},
		languages:  names{most: maxNames}, regions: names{most: maxNames}, segments: names{most: maxNames}, sceneNames: names{most: maxScenes},
	}
}

// names is a bounded set.
type names struct {
	most int
	set  map[string]struct{}
}

// name is s while there is room for it, else Other.
func (n *names) name(s string) string {
	if s == "" || s == Other {
		return s
	}
	if _, ok := n.set[s]; ok {
		return s
	}
	if len(n.set) >= n.most {
		return Other
	}
	if n.set == nil {
		n.set = map[string]struct{}{}
	}
	n.set[s] = struct{}{}
	return s
}

// bucket is which latency bucket µs fall into.
func bucket(us int64) int {
	for i, bound := range store.StatBounds {
		if us <= bound*1000 {
			return i
		}
	}
	return store.StatBuckets - 1
}

// most is where a sum stops, far from overflow.
const most = 1 << 61

func plus(a, b int64) int64 {
	if b > most-a {
		return most
	}
	return a + b
}

package risk

import (
	"cmp"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
)

const maxMarks = 8

// marks are the factors of one player's risk.
type marks struct {
	n     int8
	codes [maxMarks]code
	value [maxMarks]int8 // percent of what the factor gives alone; < 0: lowers
}

// add notes a factor, v from 0 to 1, in place of the least where there are too many.
func (m *marks) add(c code, v float64) {
	p := int8(math.Round(100 * min(1, v)))
	if p <= 0 {
		return
	}
	for i := range m.n {
		if m.codes[i] == c {
			m.value[i] = max(m.value[i], p)
			return
		}
	}
	if m.n < maxMarks {
		m.codes[m.n], m.value[m.n] = c, p
		m.n++
		return
	}
	least := 0
	for i := range m.value {
		if m.value[i] >= 0 && m.value[i] < m.value[least] {
			least = i
		}
	}
	if m.value[least] < p {
		m.codes[least], m.value[least] = c, p
	}
}

// lower notes a factor that takes away the part v of what its group says.
func (m *marks) lower(c code, v float64) {
	p := int8(math.Round(100 * min(1, v)))
	if p <= 0 || m.n == maxMarks {
		return
	}
	m.codes[m.n], m.value[m.n] = c, -p
	m.n++
}

// chance is the noisy-or of groups, of which each says what its gravest factor
// says: two views of one thing are not two things. Evidence that fades by the
// clock is worth the part left of itself.
func (m *marks) chance(left float64) float64 {
	var group, keep [groups]float64
	for i := range m.n {
		g := catalogue[m.codes[i]].group
		v := float64(m.value[i]) / 100
		if v < 0 {
			keep[g] = max(keep[g], -v)
			continue
		}
		group[g] = max(group[g], v*left)
	}
	none := 1.0
	for g := range group {
		none *= 1 - group[g]*(1-keep[g])
	}
	return 1 - none
}

// What weak signs of several kinds come to is no risk: honest players who live in an
// unusual way show them. From sure on a chance counts in full. What is left of one below
// that is told from leastScore on: a lower score would order players by chance alone, and
// set apart the few of an unusual kind from the many who have none.
const (
	faint      = .06
	sure       = .16
	leastScore = 6
)

// risk writes the factors out.
func (m *marks) risk(left float64) economy.Risk {
	c := m.chance(left)
	r := economy.Risk{Score: int(math.Round(100 * c * ramp(c, faint, sure)))}
	if r.Score < leastScore {
		r.Score = 0
	}
	r.Level = economy.LevelOf(r.Score)
	for i := range m.n {
		v := float64(m.value[i])
		if v > 0 {
			v *= left
		}
		if f := int(math.Round(v)); f != 0 {
			r.Factors = append(r.Factors, economy.Factor{Code: catalogue[m.codes[i]].ID, Score: f})
		}
	}
	slices.SortStableFunc(r.Factors, func(x, y economy.Factor) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Code, y.Code))
	})
	return r
}

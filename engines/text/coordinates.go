package text

import "github.com/portcullis-gg/portcullis/engines"

// coordinates finds places on the earth: two numbers with five decimals and more,
// which no map of a game has. Beside a word of home they are somebody's.
func (s *scratch) coordinates(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	for i := 0; i < len(units); i++ {
		if units[i].class != classDigit || i > 0 && (units[i-1].class == classDigit || units[i-1].r == '.') {
			continue
		}
		end, ok := degrees(units, i, 90)
		if !ok {
			i = max(i, end-1)
			continue
		}
		k := end
		for k < len(units) && k-end < 5 && isOneOf(units[k].r, " ,;/-°nsew") {
			k++
		}
		to, second := degrees(units, k, 180)
		if k == end || !second {
			i = end - 1
			continue
		}
		c := 0.5
		if s.near(topicHome|topicThird, i, to) {
			c = 0.88
		}
		return s.tell(out, finding{"address", "coordinates", 3, c}, i, to)
	}
	return out
}

// degrees reads a number up to limit with five decimals and more.
func degrees(units []unit, i, limit int) (end int, ok bool) {
	value, n, decimals := 0, 0, 0
	for end = i; end < len(units) && units[end].class == classDigit && n < 4; end++ {
		value = value*10 + int(units[end].r-'0')
		n++
	}
	if n == 0 || value > limit || end >= len(units) || units[end].r != '.' {
		return end, false
	}
	for end++; end < len(units) && units[end].class == classDigit; end++ {
		decimals++
	}
	return end, decimals >= 5 && decimals <= 9
}

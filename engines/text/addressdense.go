package text

import "github.com/portcullis-gg/portcullis/engines"

// denseAddress finds addresses in Japanese, Chinese and Korean, where the unit of
// the place is written beside its number: 3丁目1-2, 中山路12号, 테헤란로 123.
func (s *scratch) denseAddress(out []engines.Signal) ([]engines.Signal, bool) {
	units := s.norm.units
	for i := 0; i < len(units); i++ {
		if units[i].class != classDigit || i > 0 && units[i-1].class == classDigit {
			continue
		}
		end := i
		for end < len(units) && units[end].class == classDigit {
			end++
		}
		if end-i > 5 {
			i = end
			continue
		}
		for _, rule := range [...]func(*scratch, int, int) (float64, int, int){(*scratch).japanese3, (*scratch).chinese3, (*scratch).korean3} {
			if c, from, to := rule(s, i, end); c > 0 {
				if s.near(topicHome, from, to) {
					c = 0.93
				}
				return s.tell(out, finding{"address", "address", 3, c}, from, to), true
			}
		}
		i = end
	}
	return out, false
}

// placeBefore returns where a name begins that ends before unit i and whose last
// sign, or one of the six before, is one of marks; else -1.
func (s *scratch) placeBefore(i int, marks string) int {
	units := s.norm.units
	k := i
	if k > 0 && units[k-1].r == ' ' {
		k--
	}
	found := -1
	for start := k; k > 0 && start-k < 14 && units[k-1].class.dense(); k-- {
		if isOneOf(units[k-1].r, marks) && k > 1 && units[k-2].class.dense() {
			found = k
		}
	}
	if found < 0 {
		return -1
	}
	return k
}

func (s *scratch) japanese3(i, end int) (float64, int, int) {
	units := s.norm.units
	place, chome := s.placeBefore(i, "都道府县市区町村"), runesAt(units, end, "丁目") > 0
	if place < 0 && !chome {
		return 0, 0, 0
	}
	to, parts := end, 1
	for to+1 < len(units) && to-i < longestHouse && (isOneOf(units[to].r, "-‐−ーの") && units[to+1].class == classDigit || runesAt(units, to, "番地") > 0 || runesAt(units, to, "丁目") > 0 || units[to].r == '番' || units[to].r == '号') {
		parts++
		to++
		for to < len(units) && to-i < longestHouse && (units[to].class == classDigit || isOneOf(units[to].r, "目地")) {
			to++
		}
	}
	switch {
	case place >= 0 && (chome || parts >= 2):
		return 0.9, place, to
	case chome && (s.topics&(topicHome|topicThird) != 0 || parts >= 3):
		return 0.8, i, to
	case place >= 0 && s.near(topicHome, place, to):
		return 0.85, place, to
	}
	return 0, 0, 0
}

// chinese3: a road and a number; 中路 and its likes are lanes of a battle arena.
func (s *scratch) chinese3(i, end int) (float64, int, int) {
	units := s.norm.units
	to := end
	if to >= len(units) || !isOneOf(units[to].r, "号弄栋栋幢巷楼单室") {
		return 0, 0, 0
	}
	parts := 0
	for to < len(units) && to-i < longestHouse && (units[to].class == classDigit || isOneOf(units[to].r, "号弄栋幢巷楼单元室层座-之")) {
		if units[to].class == classHan {
			parts++
		}
		to++
	}
	place := s.placeBefore(i, "路街道段巷弄村镇区里")
	lane := i >= 2 && units[i-1].r == '路' && isOneOf(units[i-2].r, "上中下边")
	switch {
	case lane:
	case place >= 0 && isOneOf(units[end].r, "号弄巷"):
		return 0.9, place, to
	case parts >= 3 && s.placeBefore(i, "路街道区苑园村镇城") >= 0:
		return 0.88, i, to
	case parts >= 3 && s.topics&topicHome != 0:
		return 0.88, i, to
	}
	return 0, 0, 0
}

// korean3: a road (로, 길) with its number, after a town or ward; or a lot (번지).
func (s *scratch) korean3(i, end int) (float64, int, int) {
	units := s.norm.units
	lot := runesAt(units, end, "번지")
	to := max(end, lot)
	k := i
	if k > 0 && units[k-1].r == ' ' {
		k--
	}
	word := k
	for word > 0 && units[word-1].class == classHangul {
		word--
	}
	if k-word < 2 {
		return 0, 0, 0
	}
	road := isOneOf(units[k-1].r, "로길")
	block := isOneOf(units[k-1].r, "동읍면리")
	before := word
	if before > 0 && units[before-1].r == ' ' {
		before--
	}
	town := before
	for town > 0 && units[town-1].class == classHangul {
		town--
	}
	ward := before > town+1 && isOneOf(units[before-1].r, "시구군읍면동도")
	counted := to < len(units) && units[to].class == classHangul && !isOneOf(units[to].r, "번동호층")
	switch {
	case (road || block) && ward && !counted:
		return 0.9, town, to
	case lot > 0 && (block || road):
		return 0.88, word, to
	case road && s.near(topicHome, word, to):
		return 0.85, word, to
	}
	return 0, 0, 0
}

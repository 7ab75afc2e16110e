package text

// shortCode is the most letters of a word that a code or a formula may hold by chance.
const shortCode = 3

// code reports whether symbols start to last are no word but part of a code, as in
// "KYS 482" and "FCK-200", or variables of a formula, as in "k = y * s".
func (v *view) code(start, last int) bool {
	if last-start >= 2*shortCode {
		return false
	}
	letters := 0
	for i := start; i <= last; i++ {
		if v.syms[i].class != classSep {
			letters++
		}
	}
	if letters > shortCode {
		return false
	}
	from, to := v.syms[start].first, v.syms[last].last
	capitals := true
	for i := from; i <= to; i++ {
		if v.units[i].r == '=' {
			return true
		}
		capitals = capitals && v.units[i].upper
	}
	return capitals && (v.numbered(int(to)+1, 1) || v.numbered(int(from)-1, -1))
}

// numbered reports whether a number of three digits and more stands one separator from
// unit i, on the way of step.
func (v *view) numbered(i, step int) bool {
	if i < 0 || i >= len(v.units) || v.units[i].class != classSep {
		return false
	}
	digits := 0
	for i += step; i >= 0 && i < len(v.units) && v.units[i].class == classDigit; i += step {
		digits++
	}
	return digits >= 3
}

package text

// halved reads a message in which every letter stands twice: "yyoouu".
func (r *readings) halved(n *normaliser) bool {
	if !doubled(n.units) {
		return false
	}
	for i := 0; i < len(n.units); i++ {
		u := n.units[i]
		if u.class.letter() && i+1 < len(n.units) {
			u.end = n.units[i+1].end
			u.steps |= stepDecoded
			i++
		}
		r.units = append(r.units, u)
	}
	return true
}

// doubled reports whether every letter of the message has its double after it, in
// six and more: in ordinary text the first word says no.
func doubled(units []unit) bool {
	letters := 0
	for i := 0; i < len(units); i++ {
		if !units[i].class.letter() {
			continue
		}
		if i+1 >= len(units) || units[i+1].r != units[i].r {
			return false
		}
		letters += 2
		i++
	}
	return letters >= 6
}

package hashlist

import "bytes"

// pdqLine reads a hash, or pdq and a hash; then, if it is a number, its quality. What
// follows (tags, a file's name) is not looked at. The tools' longer form names what
// comes: hash=…,norm=….
func pdqLine(line []byte, to *Record) (bool, error) {
	if line[0] == '#' {
		return false, nil
	}
	word, rest := cut(line)
	if kinds[plain(word)] == pdqKind {
		word, rest = cut(rest)
	}
	if err := to.setPDQ(bytes.TrimPrefix(word, []byte("hash="))); err != nil {
		return false, err
	}
	word, _ = cut(rest)
	for _, name := range []string{"norm=", "quality="} {
		word = bytes.TrimPrefix(word, []byte(name))
	}
	if len(word) == 0 || word[0] < '0' || word[0] > '9' {
		return true, nil // a tag or a name
	}
	for _, c := range word {
		if c < '0' || c > '9' {
			return true, nil // a name that begins with a digit
		}
	}
	if err := to.setQuality(word); err != nil {
		return false, err
	}
	return true, nil
}

// sumLine reads a sum, or sha256 and a sum. What follows (a file's name) is not looked
// at.
func sumLine(line []byte, to *Record) (bool, error) {
	if line[0] == '#' {
		return false, nil
	}
	word, rest := cut(line)
	if kinds[plain(word)] == sumKind {
		word, _ = cut(rest)
	}
	if err := to.setSHA256(bytes.TrimPrefix(word, []byte(`\`))); err != nil { // sha256sum's mark of an odd name
		return false, err
	}
	return true, nil
}

// cut takes the first word off a line: words end at commas, colons and spaces.
func cut(line []byte) (word, rest []byte) {
	line = bytes.TrimLeft(line, " \t,;:")
	i := bytes.IndexAny(line, " \t,;:")
	if i < 0 {
		return line, nil
	}
	return line[:i], line[i+1:]
}

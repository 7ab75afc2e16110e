package batch

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lineReader reads NDJSON line by line and holds no more than one of them. A line ends
// with \n or \r\n; what follows the last break is a line unless it is nothing.
type lineReader struct {
	r    *bufio.Reader
	most int // bytes of a line
	line []byte
	seen bool // a line was read
}

func newLineReader(r io.Reader, most int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), most: most}
}

// slack is what a line may have beside what counts: its break, and a mark before the first.
const slack = len("\ufeff\r\n")

// next returns a line, good until the next call. Of one that is longer than may be
// nothing is returned, and huge is true. The error is io.EOF after the last line.
func (l *lineReader) next() (line []byte, huge bool, err error) {
	l.line = l.line[:0]
	if cap(l.line) > 2*chunkBytes {
		l.line = nil // of a file
	}
	ended := false
	for !ended {
		var part []byte
		part, err = l.r.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return nil, false, err
		}
		if errors.Is(err, io.EOF) && len(part) == 0 && len(l.line) == 0 && !huge {
			return nil, false, io.EOF
		}
		ended = !errors.Is(err, bufio.ErrBufferFull)
		switch {
		case huge: // the rest of it is passed over
		case len(l.line)+len(part) > l.most+slack:
			huge, l.line = true, l.line[:0]
		default:
			l.line = append(l.line, part...)
		}
	}
	l.line = bytes.TrimSuffix(bytes.TrimSuffix(l.line, []byte("\n")), []byte("\r"))
	if !l.seen {
		l.line = bytes.TrimPrefix(l.line, []byte("\ufeff")) // editors put one there
	}
	l.seen = true
	if huge || len(l.line) > l.most {
		return nil, true, nil
	}
	return l.line, false, nil
}

package hashlist

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Format is how a list is written.
type Format string

// The formats.
const (
	CSV            Format = "csv"
	PDQ            Format = "pdq"
	SHA256         Format = "sha256"
	ThreatExchange Format = "threatexchange"
)

// Formats lists them.
var Formats = []Format{CSV, PDQ, SHA256, ThreatExchange}

// Record is what one line says.
type Record struct {
	Line              int // from 1; of JSON, where the entry ends
	HasPDQ, HasSHA256 bool
	PDQ, SHA256       [32]byte
	Quality           int // of the PDQ hash, 0 to 100; -1 where the list does not say
}

// Fault is what is wrong with a line.
type Fault struct {
	Line   int
	Reason string
}

// FaultsAtMost is how many faults are told; more are counted.
const FaultsAtMost = 100

// Result is what a list came to.
type Result struct {
	Lines   int64 // without comments and headers; of JSON, entries
	Records int64 // that were handed on
	Faulty  int64 // lines with a fault
	Faults  []Fault
}

func (r *Result) fault(line int, reason string) {
	r.Faulty++
	if len(r.Faults) < FaultsAtMost {
		r.Faults = append(r.Faults, Fault{line, reason})
	}
}

// lineBytes is the longest that a line, or an entry of JSON, may be.
const lineBytes = 64 << 10

// Read hands on each record of a list; it is only good until each returns, and an error
// of each ends it. Lines with a fault are passed over and told in the result; the error
// is what ended the reading: of r, of each, or a list that is not of the format at all.
func Read(r io.Reader, f Format, each func(*Record) error) (Result, error) {
	var parse parser
	switch f {
	case CSV:
		parse = new(table).line
	case PDQ:
		parse = pdqLine
	case SHA256:
		parse = sumLine
	case ThreatExchange:
		return readJSON(r, each)
	default:
		return Result{}, fmt.Errorf("no format %q: csv, pdq, sha256 or threatexchange", f)
	}
	return readLines(r, parse, each)
}

// FormatError says that a list is not of its format from a line on.
type FormatError struct {
	Line   int
	Reason string
}

func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// parser reads a line into a record. It reports whether there is one: not in a header
// or a comment. The error is a fault of the line, or a *notOne.
type parser func(line []byte, to *Record) (bool, error)

// notOne says that a list is not of the format at all.
type notOne struct{ reason string }

func (e *notOne) Error() string { return e.reason }

var errLong = errors.New("longer than 65,536 bytes")

func readLines(r io.Reader, parse parser, each func(*Record) error) (res Result, err error) {
	in := bufio.NewReaderSize(r, lineBytes)
	var rec Record
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n') // the rest of it is passed over
		}
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return res, err
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		line = bytes.TrimRight(line, "\r\n")
		if long || len(bytes.TrimSpace(line)) > 0 {
			rec = Record{Line: n, Quality: -1}
			found, err := false, error(nil)
			if long {
				err = errLong
			} else if !utf8.Valid(line) {
				err = errors.New("not UTF-8")
			} else {
				found, err = parse(line, &rec)
			}
			if not := (*notOne)(nil); errors.As(err, &not) {
				return res, &FormatError{n, not.reason}
			}
			if err != nil {
				res.Lines++
				res.fault(n, err.Error())
			}
			if found {
				res.Lines++
				res.Records++
				if err := each(&rec); err != nil {
					return res, err
				}
			}
		}
		if ended {
			return res, nil
		}
	}
}

// Why hashes are not taken.
var (
	errWeak  = errors.New("has no pdq or sha256; md5 and sha1 are not taken, since files of a given md5 or sha1 can be made")
	errDNA   = errors.New("has no pdq or sha256; PhotoDNA is not taken, since its algorithm is not public")
	errNone  = errors.New("has no hash")
	errPDQ   = errors.New("the pdq hash is not 64 hexadecimal digits")
	errSum   = errors.New("the sha256 is not 64 hexadecimal digits")
	errEmpty = errors.New("the sha256 is that of an empty file")
	errScale = errors.New("the quality is not 0 to 100")
)

// emptySum is the SHA-256 of nothing, which careless lists have.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func (r *Record) setPDQ(text []byte) error {
	if len(text) != 64 {
		return errPDQ
	}
	if _, err := hex.Decode(r.PDQ[:], text); err != nil {
		return errPDQ
	}
	r.HasPDQ = true
	return nil
}

func (r *Record) setSHA256(text []byte) error {
	if len(text) != 64 {
		return errSum
	}
	if _, err := hex.Decode(r.SHA256[:], text); err != nil {
		return errSum
	}
	if strings.EqualFold(string(text), emptySum) {
		return errEmpty
	}
	r.HasSHA256 = true
	return nil
}

// setQuality reads a whole number of 0 to 100.
func (r *Record) setQuality(text []byte) error {
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' || n > 100 {
			return errScale
		}
		n = 10*n + int(c-'0')
	}
	if len(text) == 0 || n > 100 {
		return errScale
	}
	r.Quality = n
	return nil
}

// kind is what a hash is said to be.
type kind int

const (
	noKind kind = iota
	pdqKind
	sumKind
	weakKind // md5, sha1
	dnaKind  // PhotoDNA, and hashes of films
)

// kinds are the names of kinds, in small letters and digits alone.
var kinds = map[string]kind{
	"pdq": pdqKind, "pdqhash": pdqKind, "hashpdq": pdqKind, "pdqhex": pdqKind, "imagepdq": pdqKind,
	"sha256": sumKind, "sha256hash": sumKind, "hashsha256": sumKind, "filesha256": sumKind,
	"md5": weakKind, "md5hash": weakKind, "hashmd5": weakKind, "filemd5": weakKind, "videomd5": weakKind, "hashvideomd5": weakKind,
	"sha1": weakKind, "sha1hash": weakKind, "hashsha1": weakKind, "filesha1": weakKind,
	"photodna": dnaKind, "pdna": dnaKind, "photodnahash": dnaKind, "hashphotodna": dnaKind, "tmk": dnaKind, "hashtmk": dnaKind,
}

// plain is a name in small letters and digits alone.
func plain(name []byte) string {
	out := make([]byte, 0, len(name))
	for _, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			out = append(out, c)
		}
	}
	return string(out)
}

// Valid reports whether there is a format of that name.
func Valid(f Format) bool { return slices.Contains(Formats, f) }

// Hash reads 64 hexadecimal digits of either case.
func Hash(text string, to *[32]byte) error {
	if len(text) != 64 {
		return errPDQ
	}
	if _, err := hex.Decode(to[:], []byte(text)); err != nil {
		return errPDQ
	}
	return nil
}

package hashlist

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const (
	a = "f8f8f0cee0f4a84f06370a22038f63f0b36e2ed596621e1d33e6b39c4e9c9b22"
	b = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	m = "d41d8cd98f00b204e9800998ecf8427e"
)

// read returns the records of a list in short: line, the first digits of the hashes, the
// quality where it is told; then its faults.
func read(t *testing.T, f Format, list string) (got []string, res Result, err error) {
	t.Helper()
	res, err = Read(iotest.HalfReader(strings.NewReader(list)), f, func(r *Record) error {
		s := fmt.Sprint(r.Line)
		if r.HasPDQ {
			s += fmt.Sprintf(" pdq %x", r.PDQ[:2])
		}
		if r.HasSHA256 {
			s += fmt.Sprintf(" sha256 %x", r.SHA256[:2])
		}
		if r.Quality >= 0 {
			s += fmt.Sprint(" q", r.Quality)
		}
		got = append(got, s)
		return nil
	})
	for _, fault := range res.Faults {
		got = append(got, fmt.Sprintf("%d: %s", fault.Line, fault.Reason))
	}
	return got, res, err
}

func TestRead(t *testing.T) {
	upper := strings.ToUpper(a)
	for _, test := range []struct {
		name   string
		format Format
		list   string
		want   []string
	}{
		{"pdq", PDQ, "\ufeff# a list\r\n" + a + "\r\n\n" + upper + ",87,tag\n" + b + " 100\npdq " + b + "\nhash=" + a + ",norm=98,delta=0\n" + a + ",100_b.jpg\n" + a + ",7 up.jpg", []string{
			"2 pdq f8f8", "4 pdq f8f8 q87", "5 pdq 0123 q100", "6 pdq 0123", "7 pdq f8f8 q98", "8 pdq f8f8", "9 pdq f8f8 q7",
		}},
		{"faults of pdq", PDQ, a + ",101\n" + a[1:] + "\n" + m + "\nx" + a[1:] + "\n" + strings.Repeat("z", lineBytes+1) + "\n" + a + "\n\xff", []string{
			"6 pdq f8f8", "1: the quality is not 0 to 100", "2: the pdq hash is not 64 hexadecimal digits", "3: the pdq hash is not 64 hexadecimal digits",
			"4: the pdq hash is not 64 hexadecimal digits", "5: longer than 65,536 bytes", "7: not UTF-8",
		}},
		{"sums", SHA256, a + "\n" + b + "  a picture.png\nsha256:" + b + "\n\\" + a + " *odd\n" + m + "\n" + emptySum, []string{
			"1 sha256 f8f8", "2 sha256 0123", "3 sha256 0123", "4 sha256 f8f8", "5: the sha256 is not 64 hexadecimal digits", "6: the sha256 is that of an empty file",
		}},
		{"csv", CSV, "id,MD5,SHA-1,\"SHA-256\",PhotoDNA,PDQ,PDQ Quality\n" +
			"1," + m + ",,," + ",,\n2," + m + ",," + b + ",1 2 3," + a + ",90\n3,\"a \"\"b\"\", c\",," + b + ",,,\n4,,,,9,,\n5,,,,,,\n6,,," + b + ",,\n7,x\"y,,,,,\n8,\"x,,,,,\n9,,," + b + ",," + m + ",", []string{
			"3 pdq f8f8 sha256 0123 q90", "4 sha256 0123",
			"2: " + errWeak.Error(), "5: " + errDNA.Error(), "6: has no hash", "7: has 6 fields, the header 7",
			"8: " + errQuote.Error(), "9: " + errQuote.Error(), "10: the pdq hash is not 64 hexadecimal digits",
		}},
		{"csv by kind", CSV, "hash_value;hash_type;reason\n" + a + ";pdq;x\n" + b + ";SHA-256;\n" + m + ";md5;\n" + a + ";xyz;\n", []string{
			"2 pdq f8f8", "3 sha256 0123", "4: " + errWeak.Error(), "5: the kind of hash is not known: pdq or sha256",
		}},
		{"csv with tabs", CSV, "pdq\tquality\n" + a + "\t\n" + a + "\t55\n", []string{"2 pdq f8f8", "3 pdq f8f8 q55"}},
		{"lines of json", ThreatExchange, `{"type":"HASH_PDQ","indicator":"` + a + `","tags":["x"]}` + "\n\n" + `{"signal_type":"sha256","signal_value":"` + b + `"}` + "\n" +
			`{"type":"HASH_MD5","indicator":"` + m + `"}` + "\n" + `{"type":"HASH_PDQ","indicator":"` + a + `","should_delete":true}` + "\n" +
			`{"pdq":"` + a + `","sha256":"` + b + `","quality":77}` + "\n" + `{"type":"URL","indicator":"x"}` + "\n{}", []string{
			"1 pdq f8f8", "3 sha256 0123", "6 pdq f8f8 sha256 0123 q77", "4: " + errWeak.Error(), "5: says that a hash is to be deleted: retire its entry instead",
			"7: the kind of hash is not known: HASH_PDQ or HASH_SHA256", "8: has no hash",
		}},
		{"an answer of the api", ThreatExchange, "{\n \"data\": [\n  {\"type\": \"HASH_PDQ\",\n   \"raw_indicator\": \"" + a + "\", \"quality\": null},\n  7,\n  {\"hash_type\": \"pdq\", \"hash\": \"" + b + "\", \"quality\": 1.5}\n ],\n \"paging\": {\"next\": \"u\"}\n}\n[\n{\"pdq\":\"" + b + "\"}]", []string{
			"4 pdq f8f8", "11 pdq 0123", "5: is not an object", "6: the quality is not 0 to 100",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, res, err := read(t, test.format, test.list)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if res.Records+res.Faulty != int64(len(test.want)) {
				t.Errorf("%+v", res)
			}
		})
	}
}

// What is no list of the format ends the reading with its place.
func TestReadNot(t *testing.T) {
	for _, test := range []struct {
		format     Format
		list, want string
	}{
		{CSV, "id,md5\n1," + m, "line 1: the header names no column pdq or sha256, nor hash_type and hash_value; md5, sha1 and PhotoDNA are not taken"},
		{CSV, a + "\n", "line 1: the header names no column pdq or sha256, nor hash_type and hash_value; md5, sha1 and PhotoDNA are not taken"},
		{CSV, strings.Repeat(",", 300), "line 1: the header: more than 256 columns"},
		{ThreatExchange, "{\"a\":1}\n[\n" + a + "]", "line 3: invalid character '8' in literal false (expecting 'a')"},
		{ThreatExchange, "\n\n[{}", "line 3: unexpected EOF"},
		{ThreatExchange, "\n{\"data\":{}}", "line 2: data must be an array"},
		{ThreatExchange, "7", "line 1: an object or an array is expected"},
		{ThreatExchange, "[{\n\"x\":\"" + strings.Repeat("y", entryBytes), "line 1: an entry is longer than 1048576 bytes"},
		{"xml", "", `no format "xml": csv, pdq, sha256 or threatexchange`},
	} {
		_, _, err := read(t, test.format, test.list)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s %.20q: %v, want %s", test.format, test.list, err, test.want)
		}
	}
}

// What breaks while a list comes in, or is taken, ends it as it is.
func TestReadEnds(t *testing.T) {
	broken := errors.New("broken")
	lists := map[Format]string{CSV: "pdq\n" + a + "\n", PDQ: a + "\n", SHA256: a + "\n", ThreatExchange: `{"pdq":"` + a + `"}` + "\n"}
	for f, list := range lists {
		_, err := Read(io.MultiReader(strings.NewReader(list), iotest.ErrReader(broken)), f, func(*Record) error { return nil })
		if !errors.Is(err, broken) {
			t.Errorf("%s: %v of a reader that broke", f, err)
		}
		_, err = Read(strings.NewReader(list), f, func(*Record) error { return broken })
		if !errors.Is(err, broken) {
			t.Errorf("%s: %v of a record that was not taken", f, err)
		}
	}
}

func TestFaultsAreBounded(t *testing.T) {
	res, err := Read(strings.NewReader(strings.Repeat("x\n", 1000)), PDQ, func(*Record) error { return nil })
	if err != nil || res.Faulty != 1000 || res.Lines != 1000 || len(res.Faults) != FaultsAtMost {
		t.Errorf("%d faults, %d told, %v", res.Faulty, len(res.Faults), err)
	}
}

// hold checks what every list must keep to: lines go up, every line is a record, a
// fault, or nothing.
func hold(t *testing.T, f Format, data string) {
	t.Helper()
	last := 0
	var n int64
	res, err := Read(strings.NewReader(data), f, func(r *Record) error {
		if !r.HasPDQ && !r.HasSHA256 || r.Line < last || r.Quality < -1 || r.Quality > 100 {
			t.Errorf("record %+v after line %d", r, last)
		}
		last = r.Line
		n++
		return nil
	})
	if n != res.Records || res.Records+res.Faulty != res.Lines || int64(len(res.Faults)) > res.Faulty {
		t.Errorf("%d records, %+v", n, res)
	}
	if err == nil && last > strings.Count(data, "\n")+1 {
		t.Errorf("line %d of %d", last, strings.Count(data, "\n")+1)
	}
}

func FuzzCSV(f *testing.F) {
	f.Add("pdq,quality\n" + a + ",50\n")
	f.Add("\"SHA-256\";md5\n\"" + b + "\";" + m)
	f.Add("hash_type\thash\npdq\t" + a)
	f.Fuzz(func(t *testing.T, data string) { hold(t, CSV, data) })
}

func FuzzPDQ(f *testing.F) {
	f.Add(a + ",50,x\n# y\npdq " + b)
	f.Fuzz(func(t *testing.T, data string) { hold(t, PDQ, data) })
}

func FuzzSHA256(f *testing.F) {
	f.Add(a + "  name\nsha256:" + b)
	f.Fuzz(func(t *testing.T, data string) { hold(t, SHA256, data) })
}

func FuzzThreatExchange(f *testing.F) {
	f.Add(`{"data":[{"type":"HASH_PDQ","indicator":"` + a + `"},3]}` + "\n" + `[{"pdq":"` + b + `","quality":3}]`)
	f.Fuzz(func(t *testing.T, data string) { hold(t, ThreatExchange, data) })
}

func BenchmarkRead(b *testing.B) {
	for f, list := range map[Format]string{
		CSV: "id,pdq,quality\n" + strings.Repeat("1,"+a+",90\n", 10_000), PDQ: strings.Repeat(a+",90\n", 10_000), SHA256: strings.Repeat(a+"\n", 10_000),
		ThreatExchange: strings.Repeat(`{"type":"HASH_PDQ","indicator":"`+a+`"}`+"\n", 10_000),
	} {
		b.Run(string(f), func(b *testing.B) {
			b.SetBytes(int64(len(list)))
			for b.Loop() {
				if res, err := Read(strings.NewReader(list), f, func(*Record) error { return nil }); err != nil || res.Records != 10_000 {
					b.Fatal(res, err)
				}
			}
		})
	}
}

package resident

import (
	"bufio"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

const smaps = `00400000-00402000 r--p 00000000 fe:00 1028 /opt/the program
Rss:                   8 kB
Private_Dirty:         8 kB
Anonymous:             0 kB
00402000-00404000 r-xp 00002000 fe:00 1028 /opt/the program
Private_Dirty:         0 kB
00404000-00405000 r--p 00004000 fe:00 1028 /opt/the program
Anonymous:             4 kB
7f00-7f10 r--p 00000000 fe:00 77 /lib/libc.so.6
Private_Dirty:         0 kB
7f20-7f30 rw-p 00000000 00:00 0
Swap:                  4 kB
VmFlags: rd wr
`

func TestAreas(t *testing.T) {
	got := areas(bufio.NewScanner(strings.NewReader(smaps)), "/opt/the program")
	want := []area{
		{0x400000, 0x402000, true, true, false},
		{0x402000, 0x404000, true, true, false},
		{0x404000, 0x405000, true, true, true},
		{0x7f00, 0x7f10, true, false, false},
		{0x7f20, 0x7f30, false, false, true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("areas %+v, want %+v", got, want)
	}
}

// ownKiB is how much of the program's own file lies in memory.
func ownKiB(t *testing.T, program string) (sum int) {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	own := false
	for line := range strings.Lines(string(maps)) {
		if a, ok := header(line, program); ok {
			own = a.constant && a.own
		} else if f := strings.Fields(line); own && f[0] == "Rss:" {
			n, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
	}
	return sum
}

// TestRest: less of the program lies in memory after it, and what does not is there again when
// somebody looks.
func TestRest(t *testing.T) {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	before := ownKiB(t, program)
	Rest()
	if after := ownKiB(t, program); before == 0 || after >= before {
		t.Errorf("%d KiB of the program in memory before, %d after", before, after)
	}
	TestAreas(t)
}

package resident

import (
	"bufio"
	"os"
	"reflect"
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

// constant is read before and after, from the program's own file.
const constant = "what stands in the program's constant data is there again when somebody looks"

func TestRest(t *testing.T) {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range areas(bufio.NewScanner(strings.NewReader(string(maps))), program) {
		if a.constant && a.own && !a.changed {
			own++
		}
	}
	if own == 0 {
		t.Error("no constant data of the program is found")
	}
	Rest()
	if got := strings.Repeat(constant, 2); got != constant+constant || !strings.HasPrefix(got, "what stands") {
		t.Errorf("constant data is %q", got)
	}
}

package voice

import (
	"bytes"
	"testing"

	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// A clip begins where it is said to, also where the call came later or a piece began
// before: the times of words are counted from there.
func TestClipBeginsWhereItIsSaid(t *testing.T) {
	opus, pcm := archive{}, archive{pcm: true}
	for i := range int64(100) {
		opus.put(piece{16_000 + i*320, 320, []byte{0xf8, 1}})
		pcm.put(piece{16_000 + i*320, 320, bytes.Repeat([]byte{1, 0}, 320)})
	}
	for from, want := range map[int64]int64{-5000: 1000, 0: 1000, 1010: 1010, 2990: 2990, 9000: 9000} {
		if got := opus.start(from, 9000); got != want {
			t.Errorf("start(%d, 9000) = %d, want %d", from, got, want)
		}
	}
	file, _ := opus.clip(200, 3000)
	packets, err := caller.ReadOgg(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(packets) != 2800/20 || !bytes.Equal(packets[39].Data, silence) || bytes.Equal(packets[40].Data, silence) {
		t.Errorf("%d packets, want 40 of silence and 100", len(packets))
	}
	file, _ = pcm.clip(990, 3000)
	if want := append(make([]byte, 2*160), 1, 0); len(file) != 44+2*16*2010 || !bytes.HasPrefix(file[44:], want) {
		t.Errorf("%d bytes, want 10 ms of silence first", len(file))
	}
	file, _ = pcm.clip(1005, 3000)
	if len(file) != 44+2*16*1995 || file[44] != 1 {
		t.Errorf("%d bytes, want 1995 ms", len(file))
	}
	if none, _ := opus.clip(0, 3000); none == nil {
		t.Error("no clip that begins a second early")
	}
	for i := range int64(100) {
		opus.put(piece{keptMS*perMS + 32_000 + i*320, 320, []byte{0xf8, 1}})
	}
	if file, _ := opus.clip(0, 1<<40); file != nil {
		t.Error("a clip that begins with more silence than is ever kept")
	}
}

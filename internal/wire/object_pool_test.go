package wire

import (
	"strings"
	"sync"
	"testing"
)

// TestDecodersAreUsedAgain reads documents side by side, good and bad ones of all sizes,
// and finds in each what that one says.
func TestDecodersAreUsedAgain(t *testing.T) {
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			text := strings.Repeat(string(rune('a'+g)), 10)
			for i := range 300 {
				long := strings.Repeat(text, 1+i*i%2000)
				o, err := Parse([]byte(`{"a":"` + long + `","b":{"c":"` + text + `"}}`))
				if err != nil {
					t.Errorf("Parse: %v", err)
					return
				}
				if _, err := Parse([]byte(`{"a":"` + long + `","a":1}`)); err == nil {
					t.Error("a name that stands twice is taken")
				}
				if _, err := Parse([]byte(`{"x":[{"y":"`)); err == nil {
					t.Error("a document that ends early is taken")
				}
				if got, _ := o.Text("a"); got != long {
					t.Errorf("a of %d bytes is %d bytes", len(long), len(got))
				}
				if inner := o.Object("b"); inner == nil || inner.Require("c") != text {
					t.Error("the inner object is another's")
				}
			}
		})
	}
	group.Wait()
}

// BenchmarkReadMessage reads a chat message as a session does.
func BenchmarkReadMessage(b *testing.B) {
	frame := []byte(`{"type":"chat","id":"r0-1234","scene":"bench-17","content":"push mid together when the timer shows 412, I will hold old mill"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadMessage(frame); err != nil {
			b.Fatal(err)
		}
	}
}

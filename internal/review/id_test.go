package review

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestNewID(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	start := time.UnixMilli(1_764_000_000_123)
	for i := range 10_000 {
		at := start.Add(time.Duration(i) * 100 * time.Microsecond)
		text := newID(at)
		id, err := uuid.Parse(text)
		if err != nil || id.Version() != 7 || id.Variant() != uuid.RFC4122 || id.String() != text {
			t.Fatalf("newID = %q (%v): not a UUIDv7", text, err)
		}
		if sec, nsec := id.Time().UnixTime(); sec*1000+nsec/1e6 != at.UnixMilli() {
			t.Fatalf("newID(%v) = %q has another time", at, text)
		}
		if text <= last || seen[text] {
			t.Fatalf("newID(%v) = %q does not come after %q", at, text, last)
		}
		last, seen[text] = text, true
	}
}

func BenchmarkNewID(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newID(time.Now())
	}
}

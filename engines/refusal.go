package engines

// RefusalKind says why content can't be looked at.
type RefusalKind string

// The kinds of refusal.
const (
	// RefusedFormat: the format is not one that is supported, or the content is not
	// what it was said to be.
	RefusedFormat RefusalKind = "format"
	// RefusedSize: it is, or would be once unpacked, larger than the limits.
	RefusedSize RefusalKind = "size"
	// RefusedDamage: it breaks the rules of its own format, so that nobody can say what it shows.
	RefusedDamage RefusalKind = "damage"
)

// Refusal is an engine's error about the content itself: it can't be looked at, and
// no other attempt would do better. It is the sender's to know and not a fault of ours.
type Refusal struct {
	Kind RefusalKind
	// Reason is for the sender: what is wrong and where, never the content.
	Reason string
}

// Error is the reason.
func (r *Refusal) Error() string { return string(r.Kind) + ": " + r.Reason }

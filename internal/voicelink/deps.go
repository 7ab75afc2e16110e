package voicelink

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store keeps voices. Errors of a store that is away are engines.ErrUnavailable.
type Store interface {
	// PutVoicePrint reports whether it kept it: a player has one, and the first stays; of one
	// who is being erased, or was since it was heard, none is kept.
	PutVoicePrint(ctx context.Context, p store.VoicePrint) (fresh bool, err error)
	DropVoicePrint(ctx context.Context, k store.VoiceKey, why string) (dropped bool, err error)
	// VoicesKept says of all whose voices are kept when that was.
	VoicesKept(ctx context.Context) (map[store.VoiceKey]int64, error)
	// VoicePrint returns store.ErrNotFound where none is kept.
	VoicePrint(ctx context.Context, k store.VoiceKey) (store.VoicePrint, error)
}

// Players knows who may not speak.
type Players interface {
	// Barred reports whether a player is kept out, or muted in voice, now. It reads memory
	// alone.
	Barred(k store.VoiceKey) bool
	// Decided is the penalty or ban behind that, and when it was made; false where no
	// person and no app has decided it.
	Decided(ctx context.Context, k store.VoiceKey) (ref string, since int64, ok bool, err error)
}

// Match is a voice that is like one that is kept.
type Match struct {
	// Of is the player who was heard.
	Of store.VoiceKey
	// Like is the voice that is kept, without the voice itself.
	Like store.VoicePrint
	// Similarity is the cosine of the two, above Threshold; SpokenMS is how much Of said
	// from First to Last, epoch ms.
	Similarity, Threshold float64
	SpokenMS              int64
	First, Last           int64
}

// Deps is what a Keeper stands on.
type Deps struct {
	Store   Store
	Players Players
	// Allowed reports whether any layer of an app's policy has voices kept.
	Allowed func(app engines.AppID) bool
	// Found has a person look at a match; it may be called again with the same.
	Found func(ctx context.Context, m *Match) error
	Log   *slog.Logger
	// Registry may be nil.
	Registry prometheus.Registerer
	// Now is our clock; nil is time.Now.
	Now func() time.Time
}

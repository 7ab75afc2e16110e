package gateway

import (
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
)

// newRequestID makes a UUIDv7 (RFC 9562): it sorts by time.
func newRequestID() engines.RequestID {
	return engines.RequestID(uuid.Must(uuid.NewV7()).String()) // fails only without randomness
}

func knownMethod(m []byte) bool { return slices.Contains(fiber.DefaultMethods, string(m)) }

// retryAfter is whole seconds, at least one (RFC 9110 section 10.2.3).
func retryAfter(d time.Duration) string {
	return strconv.Itoa(max(1, int((d+time.Second-1)/time.Second)))
}

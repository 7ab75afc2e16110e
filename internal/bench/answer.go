package bench

import (
	"fmt"

	"github.com/go-json-experiment/json"
)

// answer is what the generator reads of any frame of the stream.
type answer struct {
	Type       string `json:"type"`
	ID         string `json:"id"`
	RequestID  string `json:"request_id"`
	MessageID  string `json:"message_id"`
	Suggestion string `json:"suggestion"`
	Action     string `json:"action"`
	Code       int    `json:"code"`
	Seq        uint64 `json:"seq"`
}

func parseAnswer(b []byte) (answer, error) {
	var m answer
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("answer is no JSON: %w", err)
	}
	return m, nil
}

package wire

import (
	"testing"
)

// TestSegments: a word that no policy could be of is told, and not passed over as if the
// standard layers had been asked for.
func TestSegments(t *testing.T) {
	for _, body := range []string{`{"content":"a"}`, `{"content":"a","segment":""}`, `{"content":"a","segment":"minor"}`} {
		if _, err := ReadTextCheck(parse(t, body), Limits{TextCodePoints: 10}); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	for _, segment := range []string{`"vip"`, `"Minor"`, `7`} {
		_, err := ReadTextCheck(parse(t, `{"content":"a","segment":`+segment+`}`), Limits{TextCodePoints: 10})
		wantFields(t, err, "/segment")
		_, err = ReadTicketRequest(parse(t, `{"player_id":"p","segment":`+segment+`}`))
		wantFields(t, err, "/segment")
	}
}

package wire

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestReadTokenRequest(t *testing.T) {
	r, err := ReadTokenRequest(parse(t, `{"scope":"check feed","expires_in":600}`))
	if diff := cmp.Diff(TokenRequest{Scope: "check feed", ExpiresIn: 10 * time.Minute}, r); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if r, err = ReadTokenRequest(parse(t, `{}`)); err != nil || r != (TokenRequest{}) {
		t.Errorf("an empty request = %+v, %v", r, err)
	}
	_, err = ReadTokenRequest(parse(t, `{"scope":["check"],"expires_in":86401}`))
	wantFields(t, err, "/scope", "/expires_in")
}

func TestReadTicketRequest(t *testing.T) {
	r, err := ReadTicketRequest(parse(t, `{"player_id":"p","scenes":["a","b"],"segment":"minor","region":"jp","language":"ja"}`))
	want := TicketRequest{Player: "p", Scenes: []engines.SceneID{"a", "b"}, Segment: "minor", Region: "jp", Language: "ja"}
	if diff := cmp.Diff(want, r); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	_, err = ReadTicketRequest(parse(t, `{"scenes":["a",""],"language":"?"}`))
	wantFields(t, err, "/player_id", "/language", "/scenes/1")
	_, err = ReadTicketRequest(parse(t, `{"player_id":"p","scenes":[`+strings.Repeat(`"s",`, maxTicketScenes)+`"s"]}`))
	wantFields(t, err, "/scenes")
}

func TestReadCredentials(t *testing.T) {
	c, err := ReadCredentials(parse(t, `{"name":"n","password":"p","token":"t"}`), true)
	if err != nil || c != (Credentials{Token: "t", Name: "n", Password: "p"}) {
		t.Errorf("%+v, %v", c, err)
	}
	_, err = ReadCredentials(parse(t, `{"password":5}`), true)
	wantFields(t, err, "/name", "/password", "/token")
	if _, err = ReadCredentials(parse(t, `{"name":"n","password":"p"}`), false); err != nil {
		t.Errorf("a login without token: %v", err)
	}
}

func TestReadDecision(t *testing.T) {
	d, err := ReadDecision(parse(t, `{"decision":"approve","version":3,"policy":"rule 1","reason":"fine"}`))
	if err != nil || d != (Decision{Approve: true, Policy: "rule 1", Reason: "fine", Version: 3}) {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err = ReadDecision(parse(t, `{"decision":"reject","version":0,"policy":"rule 1","reason":"insult"}`)); err != nil || d.Approve {
		t.Errorf("%+v, %v", d, err)
	}
	_, err = ReadDecision(parse(t, `{}`))
	wantFields(t, err, "/decision", "/version", "/policy", "/reason")
	_, err = ReadDecision(parse(t, `{"decision":"maybe","version":-1,"policy":"p","reason":"`+strings.Repeat("x", 2001)+`"}`))
	wantFields(t, err, "/decision", "/version", "/reason")
}

package redisstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
)

// The stored state of a session is its token hash (32 bytes), then one line each:
// epoch, fence, node, app, player, profile (JSON), joined scenes (JSON). Scripts
// take it apart by lines; none of the parts can hold a newline.
const tokenLen = 32

// profile is what never changes in a session.
type profile struct {
	Grants   []engines.SceneID `json:"g,omitempty"`
	Segment  string            `json:"s,omitempty"`
	Region   string            `json:"r,omitempty"`
	Language string            `json:"l,omitempty"`
}

type joinedRecord struct {
	Scene engines.SceneID `json:"s"`
	After string          `json:"a"`
}

var errMalformed = errors.New("stored session is malformed")

func encodeState(s *session.State) (string, error) {
	p, err := json.Marshal(profile{Grants: s.Grants, Segment: s.Segment, Region: s.Region, Language: s.Language})
	if err != nil {
		return "", err
	}
	parts := []string{s.Epoch, strconv.FormatInt(s.Fence, 10), s.Node, string(s.App), string(s.Player), string(p), encodeJoined(s.Joined)}
	for _, part := range parts {
		if strings.ContainsRune(part, '\n') {
			return "", errors.New("an id has a line break")
		}
	}
	return string(s.Token[:]) + strings.Join(parts, "\n"), nil
}

func encodeJoined(joined []session.Joined) string {
	records := make([]joinedRecord, len(joined))
	for i, j := range joined {
		records[i] = joinedRecord(j)
	}
	b, _ := json.Marshal(records) // strings always encode
	return string(b)
}

func decodeState(sid engines.SessionID, value string) (session.State, error) {
	s := session.State{ID: sid}
	if len(value) < tokenLen {
		return s, errMalformed
	}
	copy(s.Token[:], value)
	parts := strings.Split(value[tokenLen:], "\n")
	if len(parts) != 7 {
		return s, errMalformed
	}
	fence, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return s, errMalformed
	}
	s.Epoch, s.Fence, s.Node, s.App, s.Player = parts[0], fence, parts[2], engines.AppID(parts[3]), engines.PlayerID(parts[4])
	var p profile
	var joined []joinedRecord
	if err := errors.Join(json.Unmarshal([]byte(parts[5]), &p), json.Unmarshal([]byte(parts[6]), &joined)); err != nil {
		return s, fmt.Errorf("%w: %w", errMalformed, err)
	}
	s.Grants, s.Segment, s.Region, s.Language = p.Grants, p.Segment, p.Region, p.Language
	for _, j := range joined {
		s.Joined = append(s.Joined, session.Joined(j))
	}
	return s, nil
}

func encodeOwner(sid engines.SessionID, node string) string { return string(sid) + "\n" + node }

func decodeOwner(value string) session.Owner {
	sid, node, _ := strings.Cut(value, "\n")
	return session.Owner{Session: engines.SessionID(sid), Node: node}
}

package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Create stores a new session and claims its player, and returns who held the
// player before (the zero Owner: nobody, or see claims). session.ErrFull: the embedded engine is
// at its cap.
func (r *Redis) Create(ctx context.Context, s session.State) (prev session.Owner, err error) {
	if r.full() {
		return prev, session.ErrFull
	}
	value, err := encodeState(&s)
	if err != nil {
		return prev, fmt.Errorf("create session: %w", err)
	}
	var claim *redis.StatusCmd
	_, err = r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.Set(ctx, store.SessionKey(s.ID), value, store.StateTTL)
		if r.claims(s.Player) {
			claim = r.claim(ctx, p, s.App, s.Player, s.ID)
		}
		return nil
	})
	if err != nil && !errors.Is(err, redis.Nil) {
		return prev, fmt.Errorf("create session: %w", classify(err))
	}
	if claim == nil {
		return prev, nil
	}
	if owner, err := claim.Result(); err == nil {
		prev = decodeOwner(owner)
	}
	return prev, nil
}

// claims reports whether sessions of this player claim it. A game server's have
// no player. And with the embedded engine this process is the only one there can
// be: it knows its players' sessions itself, and the claim would cost 350 bytes
// for each resting one.
func (r *Redis) claims(player engines.PlayerID) bool { return player != "" && r.Shared() }

// claim makes sid the session of its player; its answer is the owner before.
func (r *Redis) claim(ctx context.Context, c redis.Cmdable, app engines.AppID, player engines.PlayerID, sid engines.SessionID) *redis.StatusCmd {
	return c.SetArgs(ctx, store.PlayerKey(app, player), encodeOwner(sid, r.node), redis.SetArgs{TTL: store.StateTTL, Get: true})
}

// full counts with what was made since the last count: a key a session now,
// and room for the log that most get.
func (r *Redis) full() bool {
	return r.embedded != nil && r.embedded.keys.Load()+3*r.starting.Add(1) > engineKeys
}

// resumeScript checks a claim against the stored state and takes the session over
// in one step. A claim that names no app rests on the resume token alone: the
// client has shown no ticket. KEYS state, log; ARGV app, player, token, epoch, next token, node,
// ttl in ms, log length. The marker that it adds to the log has the new fence, so
// that Redis refuses every later write of the former owner.
var resumeScript = redis.NewScript(`
local v = redis.call('GET', KEYS[1])
if not v then return {'gone'} end
local token, rest = string.sub(v, 1, 32), string.sub(v, 33)
local parts, from = {}, 1
while true do
  local at = string.find(rest, '\n', from, true)
  if not at then parts[#parts + 1] = string.sub(rest, from); break end
  parts[#parts + 1] = string.sub(rest, from, at - 1)
  from = at + 1
end
if #parts ~= 7 then return {'gone'} end
if token ~= ARGV[3] then return {'token'} end
if ARGV[1] ~= '' and (parts[4] ~= ARGV[1] or parts[5] ~= ARGV[2]) then return {'token'} end
if parts[1] ~= ARGV[4] then return {'epoch'} end
local former = parts[3]
parts[2] = string.format('%d', tonumber(parts[2]) + 1)
parts[3] = ARGV[6]
local now = ARGV[5] .. table.concat(parts, '\n')
redis.call('SET', KEYS[1], now, 'PX', ARGV[7])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[8], parts[2] .. '-0', 'o', ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[7])
return {'ok', now, former}
`)

// Resume checks a claim, takes the session over for the claiming node, rotates its
// token and claims its player. The state returned has the new fence and node. The
// errors are session.ErrGone, ErrToken and ErrEpoch, and store.ErrUnavailable.
func (r *Redis) Resume(ctx context.Context, c session.Claim) (session.State, error) {
	s, _, err := r.TakeOver(ctx, c)
	return s, err
}

// TakeOver is Resume that also tells which node had the session until now, so
// that it can be told to let go.
func (r *Redis) TakeOver(ctx context.Context, c session.Claim) (s session.State, former string, err error) {
	reply, err := resumeScript.Run(ctx, r.client, []string{store.SessionKey(c.ID), store.SessionLogKey(c.ID)},
		string(c.App), string(c.Player), string(c.Token[:]), c.Epoch, string(c.Next[:]), c.Node,
		store.StateTTL.Milliseconds(), session.LogLength).StringSlice()
	if err != nil {
		return s, "", fmt.Errorf("resume session: %w", classify(err))
	}
	switch {
	case len(reply) == 1 && reply[0] == "gone":
		return s, "", session.ErrGone
	case len(reply) == 1 && reply[0] == "token":
		return s, "", session.ErrToken
	case len(reply) == 1 && reply[0] == "epoch":
		return s, "", session.ErrEpoch
	case len(reply) != 3:
		return s, "", fmt.Errorf("resume session: %w", errMalformed)
	}
	if s, err = decodeState(c.ID, reply[1]); err != nil {
		return s, "", fmt.Errorf("resume session: %w", err)
	}
	// Another slot of a cluster, so a step of its own. When it fails the session
	// lives on unclaimed, and the next login does not replace it.
	if r.claims(s.Player) {
		owner := r.client.SetArgs(ctx, store.PlayerKey(s.App, s.Player), encodeOwner(c.ID, c.Node), redis.SetArgs{TTL: store.StateTTL})
		if err := owner.Err(); err != nil {
			return s, "", fmt.Errorf("resume session: claim player: %w", classify(err))
		}
	}
	return s, reply[2], nil
}

// releaseScript ends a claim that is still this session's. KEYS player; ARGV owner.
var releaseScript = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`)

// Forget removes a session that this node owns, and its claim unless another
// session of the player has it by now.
func (r *Redis) Forget(ctx context.Context, sid engines.SessionID, app engines.AppID, player engines.PlayerID) error {
	err := r.client.Del(ctx, store.SessionKey(sid), store.SessionLogKey(sid)).Err()
	if err == nil && r.claims(player) {
		err = releaseScript.Run(ctx, r.client, []string{store.PlayerKey(app, player)}, encodeOwner(sid, r.node)).Err()
	}
	if err != nil {
		return fmt.Errorf("forget session: %w", classify(err))
	}
	return nil
}

// Replay returns the pushes of a session after the given one, in order, and the
// number of the last push that was stored. ok is false when some are missing or
// the client saw a push that the log does not have: the session must be reset.
func (r *Redis) Replay(ctx context.Context, sid engines.SessionID, after uint64) (entries []session.Entry, last uint64, ok bool, err error) {
	messages, err := r.client.XRange(ctx, store.SessionLogKey(sid), "-", "+").Result()
	if err != nil {
		return nil, 0, false, fmt.Errorf("replay session: %w", classify(err))
	}
	for _, m := range messages {
		_, seq, err := streamID(m.ID)
		if err != nil {
			return nil, 0, false, fmt.Errorf("replay session: %w", err)
		}
		if seq == 0 {
			continue // marks a change of owner
		}
		last = max(last, seq)
		if seq > after {
			entries = append(entries, session.Entry{Seq: seq, Message: engines.RequestID(field(m, "m")), Frame: []byte(field(m, "f"))})
		}
	}
	if last < after {
		return nil, last, false, nil
	}
	for i, e := range entries {
		if e.Seq != after+uint64(i)+1 {
			return nil, last, false, nil
		}
	}
	return entries, last, true, nil
}

func streamID(id string) (major, minor uint64, err error) {
	for i := range len(id) {
		if id[i] != '-' {
			continue
		}
		major, err = strconv.ParseUint(id[:i], 10, 64)
		if err != nil {
			return 0, 0, fmt.Errorf("stream id %q: %w", id, err)
		}
		minor, err = strconv.ParseUint(id[i+1:], 10, 64)
		if err != nil {
			return 0, 0, fmt.Errorf("stream id %q: %w", id, err)
		}
		return major, minor, nil
	}
	return 0, 0, fmt.Errorf("stream id %q has no dash", id)
}

func field(m redis.XMessage, name string) string {
	s, _ := m.Values[name].(string)
	return s
}

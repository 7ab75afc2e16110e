package store

import (
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// This file builds every Redis key and channel; nobody else writes one. A key is
// pc:{tag}[:what]. The tag in braces decides the Redis Cluster slot, and a script
// touches keys of one tag alone. Tags hold the app wherever ids are not unique
// without it.

// escape keeps an id from ending its tag or running into the next id: braces,
// colons, the escape sign itself and control characters become %XX.
func escape[T ~string](id T) string {
	const unsafe = "{}:%"
	s := string(id)
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		clean = s[i] >= ' ' && !strings.ContainsRune(unsafe, rune(s[i]))
	}
	if clean {
		return s
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || strings.IndexByte(unsafe, c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// SessionKey is a string: all that another gateway needs to take the session
// over, one line a part (see redisstore). One string rather than a hash, since
// the embedded engine spends 340 bytes more on the smallest hash. Lives for
// StateTTL, renewed by the owner.
func SessionKey(sid engines.SessionID) string { return "pc:{s:" + escape(sid) + "}" }

// SessionLogKey is a stream of the session's pushes, ids fence-seq: a former
// owner's fence is behind, so Redis itself refuses what it still writes. About
// LogLength long; lives as long as the session's state.
func SessionLogKey(sid engines.SessionID) string { return "pc:{s:" + escape(sid) + "}:out" }

// PlayerKey is a string "sid\nnode": which session a player has, so that another
// login can replace it. Lives as long as the session's state.
func PlayerKey(app engines.AppID, player engines.PlayerID) string {
	return "pc:{u:" + escape(app) + ":" + escape(player) + "}"
}

// AnswersKey is a stream of the answers to a player's last messages, for repeats
// of the same id after a change of gateway. Lives for AnswerTTL after the last one.
func AnswersKey(app engines.AppID, player engines.PlayerID) string {
	return "pc:{u:" + escape(app) + ":" + escape(player) + "}:ans"
}

// SceneLogKey is a stream of a scene's last messages, for resumed sessions. About
// LogLength long; lives for SceneTTL after the last message.
func SceneLogKey(app engines.AppID, scene engines.SceneID) string {
	return "pc:{c:" + escape(app) + ":" + escape(scene) + "}:log"
}

// SceneChannel is the channel on which the gateways of a scene's members hear its
// messages. Nothing is kept.
func SceneChannel(app engines.AppID, scene engines.SceneID) string {
	return "pc:{c:" + escape(app) + ":" + escape(scene) + "}"
}

// NodeChannel is the channel on which one gateway is told to let a session go.
// Nothing is kept.
func NodeChannel(node string) string { return "pc:{n:" + escape(node) + "}" }

// FeedChannel is the channel of the live feed, heard by every gateway. Nothing is kept.
func FeedChannel() string { return "pc:feed" }

// SeenKey is a string: a nonce or signature that was used, and the answer it got.
// Lives for the replay window that the caller gives. The key has a tag of its own,
// so that nonces spread over a cluster.
func SeenKey(key string) string { return "pc:{x:" + escape(key) + "}:seen" }

// SeenOfKey is a set: the keys, not yet those of SeenKey, whose answers are about one
// player. Lives as long as the last of them; one that ran out may stand in it.
func SeenOfKey(owner string) string { return "pc:{x:" + escape(owner) + "}:of" }

// BlobKey is a string: players of a book that no entry came for lately, packed, with a
// seal before each that only the gateway whose they are can make. Lives for as long as
// the book says, which names it anew each time.
func BlobKey(name string) string { return "pc:{b:" + escape(name) + "}" }

// LimitKey is redis_rate's GCRA state of one class of an app's requests. It lives
// for as long as redis_rate says, at most some seconds.
func LimitKey(app engines.AppID, class string) string {
	return "pc:{a:" + escape(app) + "}:rl:" + escape(class)
}

// Everything of the jobs of one kind has one tag, so that scripts can touch the queue,
// its payloads and its quarantine together. A kind that outgrows a server would get
// several tags.
func jobTag(kind engines.Kind) string { return "pc:{job:" + escape(kind) + "}" }

// JobKey is a stream of the jobs of one kind and lane, read by the group JobGroup. A
// job is removed once it is answered, so that its length is what is unfinished; the
// sender's script keeps it below a bound. It has no end of its own.
func JobKey(kind engines.Kind, lane Lane) string { return jobTag(kind) + ":" + lane.String() }

// JobGroup is the consumer group of all workers.
const JobGroup = "w"

// JobPayloadKey is a string: the payload of a job that is too large for the queue.
// Removed with its job; else it lives until nobody can wait for the job any more.
func JobPayloadKey(kind engines.Kind, job string) string { return jobTag(kind) + ":pay:" + escape(job) }

// JobDeathsKey is a set of the workers that ended with a content in hand, by its
// SHA-256 in hex. Lives for QuarantineTTL after the last one.
func JobDeathsKey(kind engines.Kind, content string) string {
	return jobTag(kind) + ":died:" + escape(content)
}

// JobQuarantineKey is a string: a content that nobody is to look at. Lives for
// QuarantineTTL.
func JobQuarantineKey(kind engines.Kind, content string) string {
	return jobTag(kind) + ":quar:" + escape(content)
}

// JobGraveKey is a stream of the jobs that were put away as poison, without their
// content: id, reason, deliveries, sha256. About GraveLength long; it has no end.
func JobGraveKey(kind engines.Kind) string { return jobTag(kind) + ":dlq" }

// WorkersKey is a sorted set of the workers of a kind by when they were last seen, in
// ms of Redis's clock; those long gone are removed by whoever says that it is there.
func WorkersKey(kind engines.Kind) string { return jobTag(kind) + ":workers" }

// WorkerKey is a hash: what one worker says of itself. Lives for WorkerTTL, renewed.
func WorkerKey(kind engines.Kind, id string) string { return jobTag(kind) + ":worker:" + escape(id) }

// RepliesKey is a stream of the replies to one gateway's jobs of a kind, which removes
// what it has read. About RepliesLength long; lives for RepliesTTL after the last one.
func RepliesKey(node string, kind engines.Kind) string {
	return "pc:{n:" + escape(node) + "}:reply:" + escape(kind)
}

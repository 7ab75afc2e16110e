package wire

import "github.com/portcullis-gg/portcullis/engines"

// Types of the messages that clients send.
const (
	TypeHello     = "hello"
	TypeResume    = "resume"
	TypeJoin      = "join"
	TypeLeave     = "leave"
	TypeChat      = "chat"
	TypeCheck     = "check"
	TypeBatch     = "batch"
	TypePing      = "ping"
	TypeReport    = "report"
	TypeSubscribe = "feed.subscribe"
)

// MaxMessageID is the most bytes of a client's id.
const MaxMessageID = 64

// Message is one frame from a client: its type, its id and the members to read.
type Message struct {
	Type string
	ID   string
	Body *Object
}

// ReadMessage reads a frame. The error is a 1001; the id, where it could be
// read, is in the message all the same, so that the answer can carry it.
func ReadMessage(frame []byte) (Message, error) {
	o, err := Parse(frame)
	if err != nil {
		return Message{}, err
	}
	return readMessage(o)
}

func readMessage(o *Object) (Message, error) {
	m := Message{Body: o}
	m.Type = o.Require("type")
	m.ID, _ = o.Text("id")
	if len(m.ID) > MaxMessageID || m.ID != "" && !ValidID(m.ID) {
		o.Fault("id", "must be at most 64 bytes without control characters")
		m.ID = ""
	}
	return m, o.Err()
}

// ReadBatch reads the messages of a batch, at most 64.
func ReadBatch(o *Object) ([]Message, error) {
	var list []Message
	err := o.Each("messages", 64, func(_ int, entry *Object) {
		m, _ := readMessage(entry) // its faults are in o as well
		if m.Type != "" && m.Type != TypeChat && m.Type != TypeCheck {
			entry.Fault("type", "must be chat or check")
		}
		list = append(list, m)
	})
	if err != nil {
		return nil, err
	}
	if !o.Has("messages") {
		o.Fault("messages", "is required")
	}
	return list, o.Err()
}

// Hello opens a session.
type Hello struct{ Token string }

// ReadHello reads a hello.
func ReadHello(o *Object) (Hello, error) {
	token, _ := o.Text("token")
	return Hello{token}, o.Err()
}

// Resume takes a session up again.
type Resume struct {
	Session engines.SessionID
	Token   string
	Epoch   string
	LastSeq uint64
}

// ReadResume reads a resume.
func ReadResume(o *Object) (Resume, error) {
	var r Resume
	r.Session = engines.SessionID(o.ID("session_id", true))
	r.Token = o.ID("resume_token", true)
	r.Epoch = o.ID("epoch", true)
	if !o.Has("last_seq") {
		o.Fault("last_seq", "is required")
	}
	n, _ := o.Int("last_seq", 0, 1<<53)
	r.LastSeq = uint64(n)
	return r, o.Err()
}

// ReadScene reads the scene of a join or leave.
func ReadScene(o *Object) (engines.SceneID, error) {
	s := o.ID("scene_id", true)
	return engines.SceneID(s), o.Err()
}

// ReadChat reads a chat message. player is the author, which a game server
// names itself ("" there).
func ReadChat(o *Object, player engines.PlayerID, lim Limits) (engines.Item, error) {
	it := engines.Item{Kind: engines.KindText, Live: true, Player: player}
	it.Scene = engines.SceneID(o.ID("scene_id", true))
	it.Text = o.Require("content")
	if it.Text == "" && o.Has("content") {
		o.Fault("content", "must not be empty")
	}
	it.Language = o.language()
	it.To = engines.PlayerID(o.ID("to", false))
	it.Parent = engines.RequestID(o.ID("parent", false))
	if player == "" {
		it.Player = engines.PlayerID(o.ID("player_id", true))
	}
	if err := o.Err(); err != nil {
		return it, err
	}
	return it, tooLong("/content", it.Text, lim.TextCodePoints)
}

// ReadPing reads the newest seq that the client has seen; ok is false when it
// names none.
func ReadPing(o *Object) (seq uint64, ok bool, err error) {
	n, ok := o.Int("seq", 0, 1<<53)
	return uint64(n), ok, o.Err()
}

// Filter selects feed events; an empty member selects all.
type Filter struct {
	App        engines.AppID
	Scene      engines.SceneID
	Player     engines.PlayerID
	Suggestion []string
}

// ReadFilter reads the filter of feed.subscribe.
func ReadFilter(o *Object) (Filter, error) {
	in := o.Object("filter")
	f := Filter{
		App:    engines.AppID(in.ID("app_id", false)),
		Scene:  engines.SceneID(in.ID("scene_id", false)),
		Player: engines.PlayerID(in.ID("player_id", false)),
	}
	if in != nil {
		f.Suggestion = in.IDs("suggestion", 3)
	}
	return f, o.Err()
}

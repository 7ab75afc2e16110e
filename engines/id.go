package engines

// Ids are opaque strings of 1 to 128 bytes without control characters. Each has
// a type of its own, so that a scene can't be passed where a player is asked.
type (
	// AppID names one game: the tenant that every stored thing is keyed by.
	AppID string
	// PlayerID names a player within an app.
	PlayerID string
	// SceneID names a channel within an app: a chat room, a board, a match.
	SceneID string
	// SessionID names one client's conversation with the gateway over any
	// number of connections.
	SessionID string
	// RequestID is a UUIDv7 that the server makes for every check. It names the
	// check, its stored decision and, for chat, the delivered message.
	RequestID string
	// CaseID names a case in the review queue.
	CaseID string
)

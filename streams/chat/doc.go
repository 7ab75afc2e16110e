// Package chat is room 2 for chat: sessions over WebSocket. It reads frames,
// limits them, wraps a message as an Item for the desk, answers with the
// verdict, and delivers what may be delivered to the other members of the scene.
// A session outlives its connection: pushes that must not be lost are numbered
// and written behind to Redis, and any gateway can take the session up again.
//
// The process that holds a session's socket owns its state; Redis holds a copy
// that lags by at most one batch of the write-behind (256 operations or 2 ms).
// chat leaves the verdict to the desk, the handshake to gateway, the keys to
// internal/store.
package chat

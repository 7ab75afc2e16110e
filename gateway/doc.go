// Package gateway is the door: HTTP and the WebSocket upgrade on one port, and
// the admin listener. It finds out who calls, limits, copies what was sent out
// of the server's buffers, and hands it to the desk, the stream or the store. It
// is the only package that knows Fiber. It leaves verdicts to internal/review,
// sessions to streams/chat, shapes and codes to internal/wire.
package gateway

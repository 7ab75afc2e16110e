// Package evidence keeps what was flagged: the content of a decision, named by its
// SHA-256, with a chain of links that tells everybody who has seen it or done
// something with it. It says what is kept (Of, on the way to a verdict), how long,
// who may look, what a hold keeps, and packs and checks exports. Rows are in the
// durable store, bytes of media in internal/store/blobs; how a client asks is gateway's.
package evidence

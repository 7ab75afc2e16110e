// Package auth answers one question: who is calling? It verifies the signatures
// of game servers (SVC), the bearer tokens and player tickets made from them,
// and the passwords and cookies of moderators, and it names the client's
// address. It says what a role may do, never what an app may do with its data.
//
// It leaves HTTP to gateway, storing to the interfaces that it declares, the
// keys of Redis to internal/store, and rates to internal/limit. Everything here
// is safe for concurrent use.
package auth

// Package dispatch has an engine run in other processes. At a gateway, Engine is an
// engines.Engine that sends each item as a job over Redis Streams and waits for the
// reply; in a worker, Worker takes jobs, has the real engine look, and replies. It
// knows nothing of what the engine looks for, nor of policy: whatever goes wrong is
// an error, of which engines.Pool makes the fault that policy decides by. Nothing
// passes silently.
//
// A worker replies before it acknowledges, so that a job whose worker dies is run
// again by another, once that one has said nothing of it for Redeliver; a reply that
// comes twice is delivered once. What workers die of goes to the grave after three of
// them, and its content is left alone for ten minutes (store.QuarantineTTL). Jobs wait
// in two lanes: what somebody waits for goes before what nobody does. Queues are
// bounded: what does not fit is shed with engines.ErrOverloaded.
//
// A job carries the content and what an engine needs of its item: app, kind, use,
// language. Players, scenes and the policy stay at the gateway.
package dispatch

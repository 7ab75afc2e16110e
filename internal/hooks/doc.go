// Package hooks tells the servers of a game what happened: it takes events from the
// outbox, in which they were committed with what they tell of, and posts them to the
// app's endpoints, signed as Standard Webhooks asks, until they are taken or given
// up. Events are delivered at least once; the webhook-id is the same each time.
// Several gateways share the work through the store. What an event says, and what a
// caller may ask, is others' work.
package hooks

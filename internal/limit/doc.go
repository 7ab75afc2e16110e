// Package limit says how often: per app and class of endpoint across all
// gateways (Limiter), and per address for failed authentications (Failures). Both
// are GCRA, with a burst of one second's worth.
//
// It leaves to auth who the caller is and how an address becomes a prefix, to
// gateway when to ask, to streams/chat the rate of a session, and to
// internal/store what a Redis key looks like.
package limit

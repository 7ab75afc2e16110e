// Package limit says how often: per app and class of endpoint across all
// gateways (Limiter), per address for failed authentications (Failures), and per
// stream session (Bucket). All three are GCRA, with a burst of one second's
// worth unless said otherwise.
//
// It leaves to auth who the caller is and how an address becomes a prefix, to
// gateway when to ask, and to internal/store what a Redis key looks like.
package limit

// Package policies keeps the policies of all apps compiled in memory and takes
// changes of them from a draft to life. It leaves deciding to engines/policy and
// looking to the engines.
//
// A question never waits for a store: Keeper has what is in force for every app,
// follows what other gateways change (told over Redis, the store looked at every
// second), and writes its counts behind. What an app has not changed itself it shares
// with all others.
package policies

// Package stats counts what the gateway does and answers for it: verdicts by period,
// category, language, scene and mode, latency, what moderators made of it, the queue,
// the economy's logs, and what is out of the ordinary. internal/report makes reports
// of it.
//
// # Counting
//
// Counter hears of every verdict, passes too, and adds to cells in memory; it never
// waits for a store. What was counted is written behind every few seconds as sums to
// add to those that are stored, by hour and by day of UTC, so that several gateways
// add up. A process that ends writes what is left. One that is killed loses what was
// counted since the last write (writeEvery, or as long as the store has been away),
// and a write whose fate is not known may count twice. Verdicts and what they were
// found for are not in that window: they are on disk before they are told.
//
// Everything is bounded. An app has so many scenes, languages, regions and segments
// by name in an hour; those that come later are counted as "other".
//
// # Anomalies
//
// See anomaly.go: a category is out of the ordinary where its share of all verdicts
// is at least three times what it was in the same hours of the last weeks, and chance
// does not explain it.
package stats

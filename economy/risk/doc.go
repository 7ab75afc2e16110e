// Package risk is the economy's model: it counts log entries and says how likely a
// player abuses the economy, and what to do with a trade about to happen.
package risk

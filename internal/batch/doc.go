// Package batch checks many lines at once: it takes an upload apart into lines, stores
// them in chunks before it says that it has them, and has workers check chunk by chunk
// behind what is live, each committed with its decisions. Whatever gateway has time takes
// the next chunk, so a batch goes on where its gateway died, and no line is checked again
// whose chunk was committed. What a line means is wire's, its verdict review's.
package batch

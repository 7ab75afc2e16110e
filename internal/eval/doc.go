// Package eval is the measuring side of `portcullis eval`: it runs the text
// engine and the policy, in process and on all cores, over labelled rows and says
// how often they are right. Rows come from JSON lines (see Row); nothing of them
// is kept, and nothing here trains or tunes.
//
// Every figure counts whole messages: a row is flagged when the suggestion is
// review or block. How rows fall into groups is written down in groups.go, how a
// figure comes about in score.go.
package eval

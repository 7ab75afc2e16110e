// Package bench is the load generator behind `portcullis bench`. It runs in a
// process of its own and looks at a gateway from outside: real sockets, tickets
// minted offline, CPU and memory read from /proc.
//
// Messages leave on an open-loop schedule and each latency counts from the
// moment the message was due, so a stall of the server (or of the generator)
// shows in the percentiles instead of thinning out the load. Beside the gateway
// the same code drives a raw TCP echo, in interleaved rounds of the same run:
// the floor of what this machine, its kernel and the generator cost.
//
// One thread owns all sockets of a run (epoll and a timerfd), since a goroutine
// per connection would cost the CPU that the server under test needs. It needs
// Linux. It leaves judging the text to the server: it only counts the answers.
//
// `bench economy` sends log entries and asks about trades as a game server does,
// and measures a bare insert of the same rows beside it.
//
// `bench text` is an exception: it runs the text engine in its own process, on one
// core, since what it times takes microseconds. `bench stats` is another: it asks the
// store for statistics as the gateway does.
package bench

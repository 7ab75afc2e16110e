// Package wire holds every shape that a client sees: the codes and their HTTP
// status, the strict JSON reader, the requests and the answers of REST and of
// the stream. It alone knows the names of JSON members; it leaves checking who
// calls to internal/auth and deciding to engines/policy.
package wire

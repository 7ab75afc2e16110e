// Package storetest holds the suites that every store passes: Durable runs on
// SQLite and PostgreSQL, Live on the embedded engine and redis-server. The servers
// come from servers.sh; without it the tests that need them are skipped and say so.
package storetest

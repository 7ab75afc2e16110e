// Package audit makes the audit log evidence: it signs where each chain stands, and
// holds chains and signed checkpoints against each other. The chains themselves are
// written by the store, in the transactions of what they tell of.
package audit

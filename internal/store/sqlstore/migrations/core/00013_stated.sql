-- +goose Up
-- The statements of reasons that machines made, see stat_verdict: what the policy found
-- out and did by itself. Those of people are among what is kept of their cases.
CREATE TABLE stat_statement (
  app_id TEXT NOT NULL, step INTEGER NOT NULL, at_ts BIGINT NOT NULL,
  ground TEXT NOT NULL, category TEXT NOT NULL, content_type TEXT NOT NULL, source TEXT NOT NULL, automated TEXT NOT NULL,
  visibility TEXT NOT NULL, account TEXT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (app_id, step, at_ts, ground, category, content_type, source, automated, visibility, account)) WITHOUT ROWID;
-- For what came of decisions that were looked at again.
CREATE INDEX appeal_decided ON appeal (app_id, decided_ts) WHERE decided_ts > 0;
CREATE INDEX review_case_undone ON review_case (app_id, updated_ts) WHERE undone = 1;

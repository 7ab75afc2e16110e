-- +goose Up
-- An app's policy: every version of each layer stays. layer is that of a policy, or
-- list for a word list, or settings. body is JSON. Times are of our clock.
CREATE TABLE policy (
  app_id TEXT NOT NULL, layer TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, body BYTEA NOT NULL, removed INTEGER NOT NULL,
  how TEXT NOT NULL, of_version INTEGER NOT NULL, rollout_id TEXT NOT NULL, made_by TEXT NOT NULL, approved_by TEXT NOT NULL, note BYTEA NOT NULL,
  changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, layer, name, version));
CREATE INDEX policy_changed ON policy (changed_ts);
-- details is JSON of what is not looked for. Of each app one may run.
CREATE TABLE policy_rollout (
  app_id TEXT NOT NULL, rollout_id TEXT NOT NULL, layer TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL,
  holds INTEGER NOT NULL, details BYTEA NOT NULL, made_by TEXT NOT NULL, created_ts BIGINT NOT NULL, changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, rollout_id));
CREATE INDEX policy_rollout_list ON policy_rollout (app_id, created_ts, rollout_id);
CREATE INDEX policy_rollout_changed ON policy_rollout (changed_ts);
CREATE UNIQUE INDEX policy_rollout_holds ON policy_rollout (app_id) WHERE holds = 1;
CREATE TABLE policy_count (
  app_id TEXT NOT NULL, rollout_id TEXT NOT NULL, step TEXT NOT NULL, arm TEXT NOT NULL, category TEXT NOT NULL, live TEXT NOT NULL, draft TEXT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (app_id, rollout_id, step, arm, category, live, draft));
CREATE TABLE policy_sample (
  app_id TEXT NOT NULL, rollout_id TEXT NOT NULL, step TEXT NOT NULL, request_id TEXT NOT NULL, live TEXT NOT NULL, draft TEXT NOT NULL, arm TEXT NOT NULL,
  category TEXT NOT NULL, at_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, rollout_id, step, request_id));
-- Of each app one goes on.
CREATE TABLE policy_backtest (
  app_id TEXT NOT NULL, backtest_id TEXT NOT NULL, rollout_id TEXT NOT NULL, state TEXT NOT NULL, goes_on INTEGER NOT NULL, drafts BYTEA NOT NULL,
  from_ts BIGINT NOT NULL, to_ts BIGINT NOT NULL, seen BIGINT NOT NULL, reached_ts BIGINT NOT NULL, made_by TEXT NOT NULL, why TEXT NOT NULL, result BYTEA NOT NULL,
  created_ts BIGINT NOT NULL, changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, backtest_id));
CREATE INDEX policy_backtest_list ON policy_backtest (app_id, created_ts);
CREATE UNIQUE INDEX policy_backtest_goes_on ON policy_backtest (app_id) WHERE goes_on = 1;
-- What a decision rested on beside its signals: JSON, or nothing.
ALTER TABLE decision ADD COLUMN circumstances TEXT NOT NULL DEFAULT '';

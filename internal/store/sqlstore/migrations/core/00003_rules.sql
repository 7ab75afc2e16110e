-- +goose Up
-- A studio's own rules: every version of each stays. body is JSON of what is not
-- looked for, print tells apart what rules do. Times are of our clock, days of the
-- app's.
CREATE TABLE economy_rule (
  app_id TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL, subject TEXT NOT NULL, print TEXT NOT NULL,
  body TEXT NOT NULL, author TEXT NOT NULL, made_by TEXT NOT NULL, changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, name, version)) WITHOUT ROWID;
CREATE INDEX economy_rule_changed ON economy_rule (changed_ts);
CREATE TABLE economy_snooze (
  app_id TEXT NOT NULL, rule TEXT NOT NULL, player_id TEXT NOT NULL, until_ts BIGINT NOT NULL, made_by TEXT NOT NULL, reason TEXT NOT NULL,
  changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, rule, player_id)) WITHOUT ROWID;
CREATE INDEX economy_snooze_changed ON economy_snooze (changed_ts);
CREATE TABLE economy_rule_count (
  app_id TEXT NOT NULL, rule TEXT NOT NULL, version INTEGER NOT NULL, day INTEGER NOT NULL,
  evaluations BIGINT NOT NULL, hits BIGINT NOT NULL, errors BIGINT NOT NULL, snoozed BIGINT NOT NULL,
  pass_review BIGINT NOT NULL, pass_block BIGINT NOT NULL, review_block BIGINT NOT NULL, raised BIGINT NOT NULL,
  PRIMARY KEY (app_id, rule, version, day)) WITHOUT ROWID;
CREATE TABLE economy_backtest (
  app_id TEXT NOT NULL, backtest_id TEXT NOT NULL, rule TEXT NOT NULL, subject TEXT NOT NULL, version INTEGER NOT NULL, print TEXT NOT NULL, state TEXT NOT NULL,
  from_ts BIGINT NOT NULL, to_ts BIGINT NOT NULL, reached_ts BIGINT NOT NULL, made_by TEXT NOT NULL, why TEXT NOT NULL, result TEXT NOT NULL,
  created_ts BIGINT NOT NULL, changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, backtest_id)) WITHOUT ROWID;
CREATE INDEX economy_backtest_rule ON economy_backtest (app_id, rule, created_ts);

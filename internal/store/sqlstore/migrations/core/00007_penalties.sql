-- +goose Up
-- Strikes stand until they are undone; turn is how often one was given.
CREATE TABLE strike (
  app_id TEXT NOT NULL, strike_id TEXT NOT NULL, player_id TEXT NOT NULL, category TEXT NOT NULL, sub_label TEXT NOT NULL,
  severity INTEGER NOT NULL, weight INTEGER NOT NULL, case_id TEXT NOT NULL, request_id TEXT NOT NULL, made_by TEXT NOT NULL,
  automatic INTEGER NOT NULL, turn INTEGER NOT NULL, created_ts BIGINT NOT NULL, undone_ts BIGINT NOT NULL, undone_by TEXT NOT NULL,
  PRIMARY KEY (app_id, strike_id)) WITHOUT ROWID;
CREATE INDEX strike_player ON strike (app_id, player_id, created_ts, strike_id);
-- owed is what the economy still has to do: ban, lift or nothing. told_ts is when a
-- warning reached its player; 0: not yet.
CREATE TABLE penalty (
  app_id TEXT NOT NULL, penalty_id TEXT NOT NULL, player_id TEXT NOT NULL, kind TEXT NOT NULL, category TEXT NOT NULL, reason TEXT NOT NULL,
  made_by TEXT NOT NULL, strike_id TEXT NOT NULL, step INTEGER NOT NULL, window_ms BIGINT NOT NULL,
  created_ts BIGINT NOT NULL, expires_ts BIGINT NOT NULL, owed TEXT NOT NULL, told_ts BIGINT NOT NULL,
  ended_ts BIGINT NOT NULL, lifted_ts BIGINT NOT NULL, lifted_by TEXT NOT NULL, lift_reason TEXT NOT NULL, changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, penalty_id)) WITHOUT ROWID;
CREATE INDEX penalty_player ON penalty (app_id, player_id, created_ts, penalty_id);
CREATE INDEX penalty_list ON penalty (app_id, created_ts, penalty_id);
CREATE INDEX penalty_changed ON penalty (changed_ts);
CREATE INDEX penalty_ending ON penalty (expires_ts) WHERE lifted_ts = 0 AND ended_ts = 0 AND expires_ts > 0;
CREATE INDEX penalty_owed ON penalty (created_ts) WHERE owed <> '';
CREATE INDEX penalty_untold ON penalty (app_id, player_id) WHERE told_ts = 0;
CREATE TABLE penalty_ladder (
  app_id TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL, made_by TEXT NOT NULL, changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, version)) WITHOUT ROWID;
CREATE INDEX penalty_ladder_changed ON penalty_ladder (changed_ts);
-- What is kept of a player for verdicts: what the game says of it, the trust that a
-- person has fixed, the credit for clean days.
CREATE TABLE player_card (
  app_id TEXT NOT NULL, player_id TEXT NOT NULL, segment TEXT NOT NULL DEFAULT '', region TEXT NOT NULL DEFAULT '', language TEXT NOT NULL DEFAULT '',
  age_verified TEXT NOT NULL DEFAULT '', registered_ts BIGINT NOT NULL DEFAULT 0,
  trust TEXT NOT NULL DEFAULT '', trust_until_ts BIGINT NOT NULL DEFAULT 0, trust_by TEXT NOT NULL DEFAULT '', trust_reason TEXT NOT NULL DEFAULT '',
  clean REAL NOT NULL DEFAULT 0, clean_ts BIGINT NOT NULL DEFAULT 0, clean_day BIGINT NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 0,
  changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, player_id)) WITHOUT ROWID;
CREATE INDEX player_card_changed ON player_card (changed_ts, app_id, player_id);
-- For a player's timeline.
CREATE INDEX review_case_of_player ON review_case (app_id, player_id, created_ts, case_id);

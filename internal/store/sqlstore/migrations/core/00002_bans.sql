-- +goose Up
-- created_ts, expires_ts and lifted_ts are the app's time, ends_ts and changed_ts
-- our clock's; 0 is never.
CREATE TABLE ban (
  app_id TEXT NOT NULL, ban_id TEXT NOT NULL, player_id TEXT NOT NULL, type TEXT NOT NULL, reason TEXT NOT NULL, made_by TEXT NOT NULL,
  created_ts BIGINT NOT NULL, expires_ts BIGINT NOT NULL, ends_ts BIGINT NOT NULL, request_id TEXT NOT NULL,
  lifted_ts BIGINT NOT NULL, lifted_by TEXT NOT NULL, lift_reason TEXT NOT NULL, lift_key TEXT NOT NULL, lift_request TEXT NOT NULL,
  changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, ban_id)) WITHOUT ROWID;
CREATE INDEX ban_player ON ban (app_id, player_id);
CREATE INDEX ban_list ON ban (app_id, created_ts, ban_id);
CREATE INDEX ban_changed ON ban (changed_ts);
-- Players that a check or a ticket named; those of the economy's logs are there.
CREATE TABLE player (
  app_id TEXT NOT NULL, player_id TEXT NOT NULL, first_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, player_id)) WITHOUT ROWID;

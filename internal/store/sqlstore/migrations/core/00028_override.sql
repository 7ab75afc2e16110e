-- +goose Up
-- What an operator says a player's risk is, until a time of our clock.
CREATE TABLE economy_override (
  app_id TEXT NOT NULL, player_id TEXT NOT NULL, score INTEGER NOT NULL, until_ts BIGINT NOT NULL, made_by TEXT NOT NULL, reason TEXT NOT NULL,
  changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, player_id)) WITHOUT ROWID;
CREATE INDEX economy_override_changed ON economy_override (changed_ts);

-- +goose Up
-- The voices of players whom a decision keeps out, sealed, where the policy allows it.
CREATE TABLE voice_print (
  app_id TEXT NOT NULL, player_id TEXT NOT NULL, ref TEXT NOT NULL, since_ts BIGINT NOT NULL, voice BYTEA NOT NULL,
  spoken_ms BIGINT NOT NULL, windows INTEGER NOT NULL, heard_ts BIGINT NOT NULL, kept_ts BIGINT NOT NULL, until_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, player_id));

-- +goose Up
-- state is receiving while lines arrive. idem_key is NULL where there is none, and is
-- set once all lines are there. turn_ts is when a chunk was last claimed.
CREATE TABLE batch (
  batch_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, idem_key TEXT NULL, body_sha256 BLOB NULL, state TEXT NOT NULL,
  lines INTEGER NOT NULL, bytes BIGINT NOT NULL, done INTEGER NOT NULL, passed INTEGER NOT NULL, reviewed INTEGER NOT NULL,
  blocked INTEGER NOT NULL, errors INTEGER NOT NULL, made_by TEXT NOT NULL,
  created_ts BIGINT NOT NULL, started_ts BIGINT NOT NULL, ended_ts BIGINT NOT NULL, turn_ts BIGINT NOT NULL);
CREATE UNIQUE INDEX batch_key ON batch (app_id, idem_key) WHERE idem_key IS NOT NULL;
CREATE INDEX batch_list ON batch (app_id, created_ts, batch_id);
CREATE INDEX batch_open ON batch (state) WHERE state IN ('receiving', 'queued', 'running');
CREATE INDEX batch_ended ON batch (ended_ts) WHERE ended_ts > 0;
-- results is NULL until the chunk is committed, and its body is empty from then on.
CREATE TABLE batch_chunk (
  batch_id TEXT NOT NULL, seq INTEGER NOT NULL, first_line INTEGER NOT NULL, lines INTEGER NOT NULL, open INTEGER NOT NULL,
  owner TEXT NOT NULL, until_ts BIGINT NOT NULL, body BLOB NOT NULL, results BLOB NULL,
  PRIMARY KEY (batch_id, seq));
CREATE INDEX batch_chunk_open ON batch_chunk (batch_id, seq) WHERE open = 1;
-- Who does an accepted check, and until when others leave it alone.
ALTER TABLE pending_check ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE pending_check ADD COLUMN until_ts BIGINT NOT NULL DEFAULT 0;
CREATE INDEX pending_check_until ON pending_check (until_ts);

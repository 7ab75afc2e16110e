-- +goose Up
-- statement is a JSON array of statements of reasons: the decision's own first, then
-- those of people who decided after it.
ALTER TABLE decision ADD COLUMN statement TEXT NOT NULL DEFAULT '';
CREATE INDEX IF NOT EXISTS decision_player ON decision (app_id, player_id, created_ts);
CREATE INDEX decision_content ON decision (created_ts) WHERE content IS NOT NULL;
-- The content of text is in its row, that of media in a file named by its SHA-256.
-- expires_ts 0 is never; removed_ts is when the content went. erase_as is the
-- pseudonym that an erasure left for when a hold ends.
CREATE TABLE evidence (
  evidence_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, request_id TEXT NOT NULL, case_id TEXT NOT NULL, scene_id TEXT NOT NULL,
  player_id TEXT NOT NULL, kind TEXT NOT NULL, mime TEXT NOT NULL, sha256 TEXT NOT NULL, bytes BIGINT NOT NULL,
  category TEXT NOT NULL, sub_label TEXT NOT NULL, severity INTEGER NOT NULL, suggestion TEXT NOT NULL, locked INTEGER NOT NULL,
  content BYTEA NULL, in_file INTEGER NOT NULL, created_ts BIGINT NOT NULL, expires_ts BIGINT NOT NULL, removed_ts BIGINT NOT NULL,
  held INTEGER NOT NULL, hold_by TEXT NOT NULL, hold_reason BYTEA NOT NULL, hold_ts BIGINT NOT NULL, erase_as TEXT NOT NULL,
  head_seq BIGINT NOT NULL, head_hash TEXT NOT NULL);
CREATE INDEX evidence_list ON evidence (app_id, created_ts, evidence_id);
CREATE INDEX evidence_player ON evidence (app_id, player_id);
CREATE INDEX evidence_request ON evidence (app_id, request_id);
CREATE INDEX evidence_due ON evidence (expires_ts) WHERE held = 0 AND removed_ts = 0 AND expires_ts > 0;
CREATE INDEX evidence_file ON evidence (sha256) WHERE in_file = 1;
-- The links after the first, which the row itself says.
CREATE TABLE evidence_log (
  evidence_id TEXT NOT NULL, seq BIGINT NOT NULL, ts BIGINT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, detail BYTEA NOT NULL,
  prev_hash TEXT NOT NULL, hash TEXT NOT NULL,
  PRIMARY KEY (evidence_id, seq));
INSERT INTO store_lock (name, n) VALUES ('evidence', 0);
-- player_id is '' once an erasure is done; lease_ts is until when a gateway works on it.
CREATE TABLE erasure (
  erasure_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, player_id TEXT NOT NULL, pseudonym TEXT NOT NULL, state TEXT NOT NULL, step TEXT NOT NULL,
  made_by TEXT NOT NULL, created_ts BIGINT NOT NULL, done_ts BIGINT NOT NULL, lease_ts BIGINT NOT NULL, counts TEXT NOT NULL,
  UNIQUE (app_id, pseudonym));
CREATE INDEX erasure_open ON erasure (state) WHERE state = 'running';
CREATE TABLE audit_checkpoint (
  chain TEXT NOT NULL, seq BIGINT NOT NULL, hash TEXT NOT NULL, ts BIGINT NOT NULL, public_key TEXT NOT NULL, signature TEXT NOT NULL,
  PRIMARY KEY (chain, seq));
CREATE INDEX audit_log_ts ON audit_log (ts, chain, seq);
-- What a moderator may take; an empty list is everything. JSON arrays of words.
ALTER TABLE moderator ADD COLUMN queues TEXT NOT NULL DEFAULT '[]';
ALTER TABLE moderator ADD COLUMN categories TEXT NOT NULL DEFAULT '[]';
CREATE INDEX login_name ON login (name);
CREATE TABLE password_link (
  token_sha256 BYTEA PRIMARY KEY, name TEXT NOT NULL, made_by TEXT NOT NULL, expires_ts BIGINT NOT NULL);

-- Times are epoch milliseconds. Free text is a BLOB: PostgreSQL's TEXT refuses
-- U+0000, which a player may send, and both dialects hold the same.
-- +goose Up
CREATE TABLE app (
  app_id TEXT PRIMARY KEY, created_ts BIGINT NOT NULL, version BIGINT NOT NULL DEFAULT 0);
CREATE TABLE app_secret (
  app_id TEXT NOT NULL REFERENCES app (app_id), key_id TEXT NOT NULL, secret_enc BLOB NOT NULL,
  not_before BIGINT NOT NULL, expires_ts BIGINT NULL, created_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, key_id));
CREATE TABLE api_token (
  token_sha256 BLOB PRIMARY KEY, app_id TEXT NOT NULL, scopes TEXT NOT NULL,
  expires_ts BIGINT NOT NULL, revoked_ts BIGINT NULL);
CREATE INDEX api_token_app ON api_token (app_id);
CREATE TABLE moderator (
  name TEXT PRIMARY KEY, password_hash TEXT NOT NULL, role TEXT NOT NULL, disabled INTEGER NOT NULL, created_ts BIGINT NOT NULL);
CREATE TABLE login (
  cookie_sha256 BLOB PRIMARY KEY, name TEXT NOT NULL, created_ts BIGINT NOT NULL, last_seen_ts BIGINT NOT NULL, expires_ts BIGINT NOT NULL);
CREATE TABLE decision (
  app_id TEXT NOT NULL, request_id TEXT NOT NULL, session_id TEXT NOT NULL, scene_id TEXT NOT NULL, player_id TEXT NOT NULL,
  kind TEXT NOT NULL, language TEXT NOT NULL, mode TEXT NOT NULL, suggestion TEXT NOT NULL, action TEXT NOT NULL,
  signals TEXT NOT NULL, verdict TEXT NOT NULL, content BLOB NULL, content_sha256 BLOB NOT NULL, sample_weight REAL NOT NULL,
  policy_version TEXT NOT NULL, case_id TEXT NOT NULL, took_us BIGINT NOT NULL, created_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, request_id)) WITHOUT ROWID;
CREATE TABLE review_case (
  case_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, request_id TEXT NOT NULL, player_id TEXT NOT NULL, scene_id TEXT NOT NULL,
  state TEXT NOT NULL, held INTEGER NOT NULL, decision TEXT NOT NULL, decided_by TEXT NOT NULL, reason BLOB NOT NULL,
  version INTEGER NOT NULL, created_ts BIGINT NOT NULL, updated_ts BIGINT NOT NULL,
  UNIQUE (app_id, request_id));
CREATE INDEX review_case_queue ON review_case (state, created_ts);
CREATE TABLE scene_message (
  app_id TEXT NOT NULL, scene_id TEXT NOT NULL, message_id TEXT NOT NULL, player_id TEXT NOT NULL, session_id TEXT NOT NULL,
  content BLOB NOT NULL, language TEXT NOT NULL, state TEXT NOT NULL, sent_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, scene_id, message_id)) WITHOUT ROWID;
CREATE TABLE pending_check (
  app_id TEXT NOT NULL, request_id TEXT NOT NULL, item BLOB NOT NULL, created_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, request_id));
CREATE TABLE seen (
  seen_key TEXT PRIMARY KEY, answer BLOB NULL, expires_ts BIGINT NOT NULL);
CREATE INDEX seen_expires ON seen (expires_ts);
CREATE TABLE audit_chain (
  chain TEXT PRIMARY KEY, seq BIGINT NOT NULL, hash TEXT NOT NULL);
CREATE TABLE audit_log (
  chain TEXT NOT NULL, seq BIGINT NOT NULL, ts BIGINT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, object TEXT NOT NULL,
  detail BLOB NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL,
  PRIMARY KEY (chain, seq));
-- Rows that are updated to take a lock by name, in both dialects.
CREATE TABLE store_lock (name TEXT PRIMARY KEY, n BIGINT NOT NULL);
INSERT INTO store_lock (name, n) VALUES ('moderators', 0);
CREATE TABLE core_probe (node TEXT PRIMARY KEY, ts BIGINT NOT NULL);

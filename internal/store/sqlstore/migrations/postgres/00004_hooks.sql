-- +goose Up
-- ended_ts is when it was noted that a ban had ended by itself, by our clock; 0:
-- not yet. Of those that ended before this release nobody is told any more.
ALTER TABLE ban ADD COLUMN ended_ts BIGINT NOT NULL DEFAULT 0;
UPDATE ban SET ended_ts = ends_ts WHERE lifted_ts = 0 AND ends_ts > 0 AND ends_ts <= CAST(extract(epoch FROM now()) * 1000 AS BIGINT);
CREATE INDEX ban_ending ON ban (ends_ts) WHERE lifted_ts = 0 AND ended_ts = 0 AND ends_ts > 0;
-- kind is '' for content; details is JSON of what the economy found.
ALTER TABLE review_case ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE review_case ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN details BYTEA NULL;
DROP INDEX review_case_queue;
CREATE INDEX review_case_queue ON review_case (state, priority DESC, created_ts, case_id);
CREATE UNIQUE INDEX review_case_risk ON review_case (app_id, player_id) WHERE kind = 'risk' AND state = 'open';
CREATE INDEX review_case_player ON review_case (app_id, player_id) WHERE kind <> '';
-- What webhooks are to tell, committed with what it tells of.
CREATE TABLE outbox (
  event_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, type TEXT NOT NULL, payload BYTEA NOT NULL, created_ts BIGINT NOT NULL);
CREATE TABLE webhook (
  webhook_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, url TEXT NOT NULL, events TEXT NOT NULL, enabled INTEGER NOT NULL,
  off_reason TEXT NOT NULL, failing_ts BIGINT NOT NULL, created_ts BIGINT NOT NULL, updated_ts BIGINT NOT NULL);
CREATE INDEX webhook_app ON webhook (app_id);
CREATE TABLE webhook_secret (
  webhook_id TEXT NOT NULL, key_id TEXT NOT NULL, app_id TEXT NOT NULL, secret_enc BYTEA NOT NULL, expires_ts BIGINT NOT NULL, created_ts BIGINT NOT NULL,
  PRIMARY KEY (webhook_id, key_id));
CREATE TABLE webhook_delivery (
  delivery_id TEXT PRIMARY KEY, webhook_id TEXT NOT NULL, app_id TEXT NOT NULL, event_id TEXT NOT NULL, type TEXT NOT NULL, payload BYTEA NOT NULL,
  state TEXT NOT NULL, attempts INTEGER NOT NULL, since_ts BIGINT NOT NULL, next_ts BIGINT NOT NULL, last_ts BIGINT NOT NULL,
  last_status INTEGER NOT NULL, last_error TEXT NOT NULL, created_ts BIGINT NOT NULL,
  UNIQUE (webhook_id, event_id));
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, state, next_ts);
CREATE INDEX webhook_delivery_list ON webhook_delivery (webhook_id, created_ts, delivery_id);
CREATE INDEX webhook_delivery_old ON webhook_delivery (state, last_ts);

-- +goose Up
-- created_ts, expires_ts and lifted_ts are the app's time, ends_ts and changed_ts
-- our clock's; 0 is never.
CREATE TABLE ban (
  app_id TEXT NOT NULL, ban_id TEXT NOT NULL, player_id TEXT NOT NULL, type TEXT NOT NULL, reason TEXT NOT NULL, made_by TEXT NOT NULL,
  created_ts BIGINT NOT NULL, expires_ts BIGINT NOT NULL, ends_ts BIGINT NOT NULL, request_id TEXT NOT NULL,
  lifted_ts BIGINT NOT NULL, lifted_by TEXT NOT NULL, lift_reason TEXT NOT NULL, lift_key TEXT NOT NULL, lift_request TEXT NOT NULL,
  changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, ban_id));
CREATE INDEX ban_player ON ban (app_id, player_id);
CREATE INDEX ban_list ON ban (app_id, created_ts, ban_id);
CREATE INDEX ban_changed ON ban (changed_ts);
-- Players that a check or a ticket named; those of the economy's logs are there.
CREATE TABLE player (
  app_id TEXT NOT NULL, player_id TEXT NOT NULL, first_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, player_id));
-- One table for the three logs (log: 1 currency, 2 item, 3 trade), so that a replay
-- is one pass. batch is when its submission was received, in ms, and 20 random
-- bits; extra is JSON of what few entries have.
CREATE TABLE economy_log (
  app_id TEXT NOT NULL, day INTEGER NOT NULL, player_id TEXT NOT NULL, log SMALLINT NOT NULL, log_id TEXT NOT NULL, batch BIGINT NOT NULL,
  event_ts BIGINT NOT NULL, action TEXT NOT NULL, what TEXT NOT NULL, amount BIGINT NOT NULL, after BIGINT NOT NULL, source TEXT NOT NULL,
  device TEXT NOT NULL, ip TEXT NOT NULL, extra TEXT NULL,
  PRIMARY KEY (app_id, day, player_id, log, log_id)) PARTITION BY RANGE (day);
-- Takes what no day's partition covers, so that a clock fault can't refuse rows.
CREATE TABLE economy_log_default PARTITION OF economy_log DEFAULT;
INSERT INTO economy_log SELECT app_id, day, player_id, 1, log_id, received_ts * 1048576, event_ts, action, currency, amount, balance_after, source, '', '', NULL
  FROM currency_log;
DROP TABLE currency_log;

-- +goose Up
-- One table for the three logs (log: 1 currency, 2 item, 3 trade), so that a replay
-- is one pass. batch is when its submission was received, in ms, and 20 random
-- bits; extra is JSON of what few entries have.
CREATE TABLE economy_log (
  app_id TEXT NOT NULL, day INTEGER NOT NULL, player_id TEXT NOT NULL, log INTEGER NOT NULL, log_id TEXT NOT NULL, batch BIGINT NOT NULL,
  event_ts BIGINT NOT NULL, action TEXT NOT NULL, what TEXT NOT NULL, amount BIGINT NOT NULL, after BIGINT NOT NULL, source TEXT NOT NULL,
  device TEXT NOT NULL, ip TEXT NOT NULL, extra TEXT NULL,
  PRIMARY KEY (app_id, day, player_id, log, log_id)) WITHOUT ROWID;
INSERT INTO economy_log SELECT app_id, day, player_id, 1, log_id, received_ts * 1048576, event_ts, action, currency, amount, balance_after, source, '', '', NULL
  FROM currency_log;
DROP TABLE currency_log;

-- +goose Up
-- One b-tree, day first: random log ids dirty one page of the current day, and
-- "one player's last day" is a range of it.
CREATE TABLE currency_log (
  app_id TEXT NOT NULL, day INTEGER NOT NULL, player_id TEXT NOT NULL, log_id TEXT NOT NULL, event_ts BIGINT NOT NULL,
  currency TEXT NOT NULL, action TEXT NOT NULL, amount BIGINT NOT NULL, balance_after BIGINT NOT NULL, source TEXT NOT NULL,
  received_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, day, player_id, log_id)) WITHOUT ROWID;
CREATE TABLE economy_probe (node TEXT PRIMARY KEY, ts BIGINT NOT NULL);

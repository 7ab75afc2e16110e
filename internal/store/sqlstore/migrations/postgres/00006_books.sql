-- +goose Up
-- What gateways concluded from an app's log when they last stopped, so that a start
-- need not read all of it again. A row of economy_book stands for whole parts only.
CREATE TABLE economy_book (
  app_id TEXT NOT NULL PRIMARY KEY, save_id BIGINT NOT NULL, place TEXT NOT NULL, from_ts BIGINT NOT NULL, made_ts BIGINT NOT NULL);
CREATE TABLE economy_book_part (
  app_id TEXT NOT NULL, save_id BIGINT NOT NULL, part INTEGER NOT NULL, body BYTEA NOT NULL,
  PRIMARY KEY (app_id, save_id, part));

-- +goose Up
-- Banks of pictures that are known. app_id is empty where a bank is for all apps. Hashes
-- are numbered by kind as imports are committed: pdq_count and sha_count say how many
-- numbers are given, imports how many imports, rebuilds how often some were taken back.
CREATE TABLE image_bank (
  bank_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, name TEXT NOT NULL, category TEXT NOT NULL, sub_label TEXT NOT NULL, radius INTEGER NOT NULL,
  least_quality INTEGER NOT NULL, state TEXT NOT NULL, note TEXT NOT NULL, version INTEGER NOT NULL, pdq_count BIGINT NOT NULL, sha_count BIGINT NOT NULL,
  imports BIGINT NOT NULL, rebuilds BIGINT NOT NULL, made_by TEXT NOT NULL, created_ts BIGINT NOT NULL, changed_ts BIGINT NOT NULL);
CREATE UNIQUE INDEX image_bank_name ON image_bank (app_id, name);
CREATE INDEX image_bank_changed ON image_bank (changed_ts);
-- state is receiving, done or retired. place is 0 until it is done, then its turn among
-- those of its bank. The hashes of a retired one are deleted.
CREATE TABLE image_bank_import (
  import_id TEXT PRIMARY KEY, bank_id TEXT NOT NULL, place BIGINT NOT NULL, state TEXT NOT NULL, source TEXT NOT NULL, format TEXT NOT NULL, file_lines BIGINT NOT NULL,
  left_out BIGINT NOT NULL, pdq_first BIGINT NOT NULL, pdq_count BIGINT NOT NULL, sha_first BIGINT NOT NULL, sha_count BIGINT NOT NULL, made_by TEXT NOT NULL,
  created_ts BIGINT NOT NULL, changed_ts BIGINT NOT NULL);
CREATE INDEX image_bank_import_list ON image_bank_import (bank_id, place);
CREATE INDEX image_bank_import_open ON image_bank_import (created_ts) WHERE state = 'receiving';
-- body is hashes of 32 bytes, sealed.
CREATE TABLE image_bank_chunk (
  import_id TEXT NOT NULL, kind TEXT NOT NULL, seq INTEGER NOT NULL, hashes INTEGER NOT NULL, body BYTEA NOT NULL,
  PRIMARY KEY (import_id, kind, seq));
-- Single entries that no longer count.
CREATE TABLE image_bank_gone (
  bank_id TEXT NOT NULL, kind TEXT NOT NULL, number BIGINT NOT NULL, made_by TEXT NOT NULL, at_ts BIGINT NOT NULL,
  PRIMARY KEY (bank_id, kind, number));
-- What was found, by day (UTC) and the state that the bank was in.
CREATE TABLE image_bank_match (
  bank_id TEXT NOT NULL, day_ts BIGINT NOT NULL, state TEXT NOT NULL, n BIGINT NOT NULL,
  PRIMARY KEY (bank_id, day_ts, state));

-- +goose Up
-- What gateways counted, by app and hour (step 0) or day (step 1) of UTC; at_ts is its
-- beginning, epoch ms. Rows only ever grow: several gateways add to them.
CREATE TABLE stat_verdict (
  app_id TEXT NOT NULL, step INTEGER NOT NULL, at_ts BIGINT NOT NULL,
  kind TEXT NOT NULL, way TEXT NOT NULL, mode TEXT NOT NULL, language TEXT NOT NULL, region TEXT NOT NULL, segment TEXT NOT NULL,
  suggestion TEXT NOT NULL, action TEXT NOT NULL, degraded TEXT NOT NULL,
  n BIGINT NOT NULL, took_us BIGINT NOT NULL,
  -- Verdicts that took at most 1, 2, 5, 8, 12, 15, 18, 20, 25, 50, 100, 250, 1000 ms and no less; the rest.
  t0 BIGINT NOT NULL, t1 BIGINT NOT NULL, t2 BIGINT NOT NULL, t3 BIGINT NOT NULL, t4 BIGINT NOT NULL, t5 BIGINT NOT NULL, t6 BIGINT NOT NULL,
  t7 BIGINT NOT NULL, t8 BIGINT NOT NULL, t9 BIGINT NOT NULL, t10 BIGINT NOT NULL, t11 BIGINT NOT NULL, t12 BIGINT NOT NULL, t13 BIGINT NOT NULL,
  PRIMARY KEY (app_id, step, at_ts, kind, way, mode, language, region, segment, suggestion, action, degraded));
-- n counts labels; verdicts counts each category of a verdict once.
CREATE TABLE stat_label (
  app_id TEXT NOT NULL, step INTEGER NOT NULL, at_ts BIGINT NOT NULL,
  category TEXT NOT NULL, sub_label TEXT NOT NULL, source TEXT NOT NULL, kind TEXT NOT NULL, mode TEXT NOT NULL,
  language TEXT NOT NULL, region TEXT NOT NULL, segment TEXT NOT NULL, suggestion TEXT NOT NULL, action TEXT NOT NULL,
  n BIGINT NOT NULL, verdicts BIGINT NOT NULL,
  PRIMARY KEY (app_id, step, at_ts, category, sub_label, source, kind, mode, language, region, segment, suggestion, action));
CREATE TABLE stat_scene (
  app_id TEXT NOT NULL, step INTEGER NOT NULL, at_ts BIGINT NOT NULL,
  scene TEXT NOT NULL, kind TEXT NOT NULL, mode TEXT NOT NULL,
  n BIGINT NOT NULL, review BIGINT NOT NULL, block BIGINT NOT NULL, degraded BIGINT NOT NULL,
  PRIMARY KEY (app_id, step, at_ts, scene, kind, mode));
-- Entries of the economy's logs by the hour in which they were stored.
CREATE TABLE stat_economy (
  app_id TEXT NOT NULL, step INTEGER NOT NULL, at_ts BIGINT NOT NULL,
  log TEXT NOT NULL, what TEXT NOT NULL, action TEXT NOT NULL, source TEXT NOT NULL,
  n BIGINT NOT NULL, amount_in BIGINT NOT NULL, amount_out BIGINT NOT NULL,
  PRIMARY KEY (app_id, step, at_ts, log, what, action, source));
-- Cases that people closed, by when, with what the engines had said. A case that is
-- opened again goes, and comes back when it is closed again.
CREATE TABLE stat_case (
  app_id TEXT NOT NULL, closed_ts BIGINT NOT NULL, case_id TEXT NOT NULL, opened_ts BIGINT NOT NULL,
  kind TEXT NOT NULL, mode TEXT NOT NULL, suggestion TEXT NOT NULL, action TEXT NOT NULL, decision TEXT NOT NULL, decided_by TEXT NOT NULL,
  PRIMARY KEY (app_id, closed_ts, case_id));
CREATE UNIQUE INDEX stat_case_id ON stat_case (app_id, case_id);
-- What such a case was about: what is category, label, source or rule.
CREATE TABLE stat_case_mark (
  app_id TEXT NOT NULL, closed_ts BIGINT NOT NULL, case_id TEXT NOT NULL, what TEXT NOT NULL, name TEXT NOT NULL, decision TEXT NOT NULL,
  PRIMARY KEY (app_id, closed_ts, case_id, what, name));
CREATE INDEX review_case_changed ON review_case (updated_ts, case_id);
CREATE INDEX review_case_waiting ON review_case (app_id, state, created_ts);
-- A category that was found far more often than usual. One row is one anomaly,
-- however many hours it lasts.
CREATE TABLE stat_anomaly (
  app_id TEXT NOT NULL, category TEXT NOT NULL, began_ts BIGINT NOT NULL, last_ts BIGINT NOT NULL,
  found BIGINT NOT NULL, verdicts BIGINT NOT NULL, share DOUBLE PRECISION NOT NULL, usual DOUBLE PRECISION NOT NULL, ratio DOUBLE PRECISION NOT NULL, p DOUBLE PRECISION NOT NULL, found_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, category, began_ts));
CREATE INDEX stat_anomaly_last ON stat_anomaly (app_id, last_ts);
-- Who does what one gateway is to do for all, until when, and how far it has come.
CREATE TABLE stat_job (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until_ts BIGINT NOT NULL, reached_ts BIGINT NOT NULL);
INSERT INTO stat_job (name, owner, until_ts, reached_ts) VALUES ('lead', '', 0, 0), ('cases', '', 0, 0);
INSERT INTO store_lock (name, n) VALUES ('anomalies', 0);
-- Reports as they were when they were made.
CREATE TABLE report_run (
  app_id TEXT NOT NULL, report_id TEXT NOT NULL, kind TEXT NOT NULL, period TEXT NOT NULL, zone TEXT NOT NULL,
  from_ts BIGINT NOT NULL, to_ts BIGINT NOT NULL, body BYTEA NOT NULL, made_by TEXT NOT NULL, created_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, report_id));
CREATE INDEX report_run_list ON report_run (app_id, created_ts, report_id);
CREATE TABLE report_schedule (
  app_id TEXT NOT NULL, kind TEXT NOT NULL, period TEXT NOT NULL, zone TEXT NOT NULL, next_ts BIGINT NOT NULL,
  made_by TEXT NOT NULL, changed_ts BIGINT NOT NULL,
  PRIMARY KEY (app_id, kind, period));
CREATE INDEX report_schedule_next ON report_schedule (next_ts);

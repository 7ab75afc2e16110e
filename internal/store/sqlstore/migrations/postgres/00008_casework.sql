-- +goose Up
-- assignee has the case until until_ts while its state is claimed or held. subject_id
-- is the check or message that it is about, '' where that is request_id. barred names,
-- each on a line, who must not decide it. Free text is a BYTEA. 0 is no time.
ALTER TABLE review_case ADD COLUMN subject_id TEXT NOT NULL DEFAULT '';
ALTER TABLE review_case ADD COLUMN queue TEXT NOT NULL DEFAULT 'general';
ALTER TABLE review_case ADD COLUMN category TEXT NOT NULL DEFAULT '';
ALTER TABLE review_case ADD COLUMN sub_label TEXT NOT NULL DEFAULT '';
ALTER TABLE review_case ADD COLUMN severity INTEGER NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN due_ts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN assignee TEXT NOT NULL DEFAULT '';
ALTER TABLE review_case ADD COLUMN until_ts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN level INTEGER NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN parent_id TEXT NOT NULL DEFAULT '';
ALTER TABLE review_case ADD COLUMN second INTEGER NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN barred TEXT NOT NULL DEFAULT '';
ALTER TABLE review_case ADD COLUMN report_group TEXT NOT NULL DEFAULT '';
ALTER TABLE review_case ADD COLUMN reporters INTEGER NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN weight DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN policy TEXT NOT NULL DEFAULT '';
ALTER TABLE review_case ADD COLUMN note BYTEA NULL;
ALTER TABLE review_case ADD COLUMN decided_ts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE review_case ADD COLUMN undone INTEGER NOT NULL DEFAULT 0;
UPDATE review_case SET due_ts = created_ts + 86400000;
UPDATE review_case SET queue = 'economy' WHERE kind <> '';
UPDATE review_case SET decided_ts = updated_ts WHERE state = 'closed';
DROP INDEX review_case_queue;
CREATE INDEX review_case_queue ON review_case (state, priority DESC, due_ts, case_id);
DROP INDEX review_case_risk;
CREATE UNIQUE INDEX review_case_risk ON review_case (app_id, player_id) WHERE kind = 'risk' AND state <> 'closed';
DROP INDEX review_case_player;
CREATE INDEX review_case_until ON review_case (until_ts) WHERE until_ts > 0;
CREATE INDEX review_case_mine ON review_case (assignee) WHERE assignee <> '';
CREATE INDEX review_case_parent ON review_case (parent_id) WHERE parent_id <> '';
CREATE UNIQUE INDEX review_case_group ON review_case (app_id, report_group) WHERE report_group <> '' AND state <> 'closed';
-- What became of a case, step by step. request_key names a request that is not to be
-- done twice.
CREATE TABLE case_event (
  case_id TEXT NOT NULL, version INTEGER NOT NULL, at_ts BIGINT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, state TEXT NOT NULL,
  detail BYTEA NOT NULL, request_key TEXT NOT NULL,
  PRIMARY KEY (case_id, version));
CREATE INDEX case_event_actor ON case_event (actor, at_ts);
-- What a decision asks for outside of the store, until it is done.
CREATE TABLE case_effect (
  case_id TEXT NOT NULL, version INTEGER NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, app_id TEXT NOT NULL, body BYTEA NOT NULL,
  next_ts BIGINT NOT NULL,
  PRIMARY KEY (case_id, version, n));
CREATE INDEX case_effect_due ON case_effect (next_ts);
-- Cases that two decided without knowing of each other.
CREATE TABLE case_pair (
  second_id TEXT PRIMARY KEY, first_id TEXT NOT NULL, app_id TEXT NOT NULL, first_by TEXT NOT NULL, second_by TEXT NOT NULL,
  first_decision TEXT NOT NULL, second_decision TEXT NOT NULL, first_category TEXT NOT NULL, second_category TEXT NOT NULL, at_ts BIGINT NOT NULL);
CREATE INDEX case_pair_at ON case_pair (at_ts);
CREATE TABLE player_report (
  report_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, case_id TEXT NOT NULL, reporter_id TEXT NOT NULL, player_id TEXT NOT NULL,
  message_id TEXT NOT NULL, scene_id TEXT NOT NULL, reason TEXT NOT NULL, detail BYTEA NULL, content BYTEA NULL, weight DOUBLE PRECISION NOT NULL,
  times INTEGER NOT NULL, state TEXT NOT NULL, created_ts BIGINT NOT NULL, updated_ts BIGINT NOT NULL,
  UNIQUE (case_id, reporter_id));
CREATE INDEX player_report_list ON player_report (app_id, created_ts, report_id);
CREATE INDEX player_report_player ON player_report (app_id, player_id, created_ts);
CREATE INDEX player_report_reporter ON player_report (app_id, reporter_id, created_ts);
CREATE TABLE appeal (
  appeal_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, player_id TEXT NOT NULL, case_id TEXT NOT NULL, against_id TEXT NOT NULL, penalty_id TEXT NOT NULL,
  words BYTEA NOT NULL, state TEXT NOT NULL, statement BYTEA NULL, filed_by TEXT NOT NULL, created_ts BIGINT NOT NULL, decided_ts BIGINT NOT NULL,
  UNIQUE (app_id, player_id, against_id, penalty_id));
CREATE INDEX appeal_list ON appeal (app_id, created_ts, appeal_id);
CREATE INDEX appeal_case ON appeal (case_id);
CREATE TABLE moderator_preference (name TEXT PRIMARY KEY, opt_out TEXT NOT NULL, exposure_limit INTEGER NOT NULL);

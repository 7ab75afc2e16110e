-- +goose Up
CREATE TABLE scene_chunk (
  chunk_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, app_id TEXT NOT NULL, scene_id TEXT NOT NULL, first_id TEXT NOT NULL, last_ts BIGINT NOT NULL,
  messages INTEGER NOT NULL, body BYTEA NOT NULL);
CREATE INDEX scene_chunk_scene ON scene_chunk (app_id, scene_id, first_id);
CREATE INDEX scene_chunk_age ON scene_chunk (app_id, last_ts, chunk_id);

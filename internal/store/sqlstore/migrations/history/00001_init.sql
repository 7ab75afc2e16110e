-- +goose Up
-- Bodies are appended; what a scene's chunks are found by is small.
CREATE TABLE scene_chunk (
  chunk_id INTEGER PRIMARY KEY, app_id TEXT NOT NULL, scene_id TEXT NOT NULL, first_id TEXT NOT NULL, last_ts BIGINT NOT NULL,
  messages INTEGER NOT NULL, body BLOB NOT NULL);
CREATE INDEX scene_chunk_scene ON scene_chunk (app_id, scene_id, first_id);
CREATE INDEX scene_chunk_age ON scene_chunk (app_id, last_ts, chunk_id);

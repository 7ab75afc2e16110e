-- +goose Up
-- What was learned of a picture, JSON, '' for text; it goes when content does.
ALTER TABLE decision ADD COLUMN media TEXT NOT NULL DEFAULT '';
-- Where the media of an accepted check is, JSON, '' for text; blob is its file.
ALTER TABLE pending_check ADD COLUMN media TEXT NOT NULL DEFAULT '';
ALTER TABLE pending_check ADD COLUMN blob TEXT NOT NULL DEFAULT '';
CREATE INDEX pending_check_blob ON pending_check (blob) WHERE blob <> '';
-- Files that checks needed which have their verdict: nobody may need them any more.
CREATE TABLE loose_blob (sha256 TEXT PRIMARY KEY);

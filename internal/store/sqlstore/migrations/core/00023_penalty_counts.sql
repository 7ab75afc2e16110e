-- +goose Up
-- Of which categories strikes count for the step that a penalty was given by, with a
-- comma between; '' are all, as it was before.
ALTER TABLE penalty ADD COLUMN counted TEXT NOT NULL DEFAULT '';

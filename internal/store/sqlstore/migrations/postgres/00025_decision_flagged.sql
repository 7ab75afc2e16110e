-- +goose Up
-- What was found in a player's content of late is asked for with its card, among all
-- that was recorded of it.
CREATE INDEX decision_flagged ON decision (app_id, player_id, created_ts) WHERE suggestion <> 'pass';

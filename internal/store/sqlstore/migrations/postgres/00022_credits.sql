-- +goose Up
-- A card that only credits for clean days made has a changed_ts of 0: nobody reads it
-- again for that.
DROP INDEX player_card_changed;
CREATE INDEX player_card_changed ON player_card (changed_ts, app_id, player_id) WHERE changed_ts > 0;

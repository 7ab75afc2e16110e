-- +goose Up
-- What gateways tell each other by: node is the one that stored a row, xid the
-- transaction in which it did. Rows from before have neither, and need none.
ALTER TABLE economy_log ADD COLUMN node BIGINT NOT NULL DEFAULT 0, ADD COLUMN xid BIGINT NOT NULL DEFAULT 0;
CREATE INDEX economy_log_xid ON economy_log USING brin (xid) WITH (pages_per_range = 16, autosummarize = on);

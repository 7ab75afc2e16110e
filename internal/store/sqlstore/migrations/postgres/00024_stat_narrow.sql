-- +goose Up
-- Days of labels a second and a third time, by fewer dims: see stepNarrow and the
-- Narrow of store.StatLabels. From here on they are written together with their day.
INSERT INTO stat_label (app_id, step, at_ts, category, sub_label, source, kind, mode, language, region, segment, suggestion, action, n, verdicts)
  SELECT app_id, 2, at_ts, category, '', source, kind, mode, '', '', '', suggestion, '', sum(n), sum(verdicts)
  FROM stat_label WHERE step = 1 GROUP BY app_id, at_ts, category, source, kind, mode, suggestion;
INSERT INTO stat_label (app_id, step, at_ts, category, sub_label, source, kind, mode, language, region, segment, suggestion, action, n, verdicts)
  SELECT app_id, 3, at_ts, category, '', '', '', '', language, region, segment, suggestion, '', sum(n), sum(verdicts)
  FROM stat_label WHERE step = 1 GROUP BY app_id, at_ts, category, language, region, segment, suggestion;

-- Jobs can be paused, extended and retried.

ALTER TABLE jobs ADD COLUMN paused_at INTEGER; -- no page is claimed while it is set
ALTER TABLE jobs ADD COLUMN dropped_links INTEGER NOT NULL DEFAULT 0; -- 1: it has found more pages than it can remember

CREATE INDEX paused_jobs ON jobs (paused_at) WHERE paused_at IS NOT NULL;
-- They run again when a crawl is extended.
CREATE INDEX kick_off_tasks ON tasks (job) WHERE kind = 'kick-off';
-- A page that is tried again takes back the event of its failure, unless that was sent.
CREATE INDEX deliveries_by_task ON deliveries (task) WHERE task IS NOT NULL;

-- A failed job can be retried from here on. Open tasks of those that were swept are gone; the others keep theirs.
UPDATE jobs SET total = completed, kick_offs = 0 WHERE status = 'failed' AND has_leftovers = 0;
UPDATE jobs SET has_leftovers = 0 WHERE status = 'failed' AND has_leftovers = 1 AND run_id IS NULL;

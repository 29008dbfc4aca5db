-- Webhook calls stay after they were made: what was sent where, whether it arrived, and what is needed to send it again.

-- The numbers of jobs and runs are no references: the record of a call outlives them. They are never used again.
CREATE TABLE new_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id TEXT NOT NULL REFERENCES teams (id),
  job INTEGER,
  run INTEGER,
  webhook_id TEXT NOT NULL,
  event TEXT NOT NULL,
  task INTEGER, -- of a page event of a job; null once the page was tried again
  content TEXT, -- of an event of a run, as long as the run exists
  status TEXT NOT NULL DEFAULT 'waiting', -- waiting, delivered, failed
  next_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- Written with the first attempt, because the job may be gone when they are read:
  sender_id TEXT, -- of the job or the run
  type TEXT, -- the event in full
  url TEXT, -- without what may be a secret, and sealed
  size INTEGER, -- of the body
  -- Of the last attempt:
  tried_at INTEGER,
  status_code INTEGER,
  error TEXT,
  CHECK ((job IS NULL) <> (run IS NULL))
) STRICT;

INSERT INTO new_deliveries (id, team_id, job, run, webhook_id, event, task, content, next_at, attempts, created_at)
  SELECT deliveries.id, coalesce(jobs.team_id, runs.team_id), job, run, webhook_id, event, task, content, next_at, attempts,
    coalesce(jobs.created_at, runs.created_at)
  FROM deliveries LEFT JOIN jobs ON jobs.number = job LEFT JOIN runs ON runs.number = run;
DROP TABLE deliveries;
ALTER TABLE new_deliveries RENAME TO deliveries;

CREATE INDEX waiting_deliveries_by_job ON deliveries (job, id) WHERE status = 'waiting' AND job IS NOT NULL;
CREATE INDEX waiting_deliveries_by_run ON deliveries (run, id) WHERE status = 'waiting' AND run IS NOT NULL;
CREATE INDEX deliveries_by_team ON deliveries (team_id, status, id);
CREATE INDEX deliveries_with_content ON deliveries (run) WHERE content IS NOT NULL;
CREATE INDEX deliveries_by_task ON deliveries (task) WHERE task IS NOT NULL;

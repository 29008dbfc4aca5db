-- Runs: work that goes on by itself (an agent, an extraction, a check of a monitor), with its steps. Everything that callers,
-- pages or models wrote is sealed.

CREATE TABLE runs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT, -- prefix of the API key that pays
  kind TEXT NOT NULL,
  group_id TEXT, -- the thread of an agent, the monitor of a check
  turn INTEGER NOT NULL,
  status TEXT NOT NULL,
  zero_data_retention INTEGER NOT NULL,
  events TEXT NOT NULL, -- those its webhook wants, joined by commas
  request TEXT NOT NULL,
  webhook TEXT,
  result TEXT,
  error TEXT,
  stop_reason TEXT,
  credits INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  worked_ms INTEGER NOT NULL DEFAULT 0, -- until the last write
  written_at INTEGER, -- while it runs: when worked_ms was counted last
  attempt INTEGER NOT NULL DEFAULT 0,
  owner TEXT, -- with lease_until: while it runs
  lease_until INTEGER,
  cancel_asked_at INTEGER,
  keep_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  expires_at INTEGER NOT NULL -- counts once it has ended
) STRICT;

CREATE INDEX unfinished_runs ON runs (kind, number) WHERE status IN ('queued', 'running');
CREATE UNIQUE INDEX unfinished_run_of_group ON runs (group_id) WHERE group_id IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX runs_by_team ON runs (team_id, kind, number);
CREATE INDEX runs_by_group ON runs (group_id, number) WHERE group_id IS NOT NULL;
CREATE INDEX ended_runs_by_expiry ON runs (expires_at) WHERE status NOT IN ('queued', 'running');

CREATE TABLE run_steps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES runs (number),
  key TEXT NOT NULL, -- a hash
  name TEXT NOT NULL,
  input TEXT NOT NULL,
  output TEXT, -- null until it has finished
  credits INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  UNIQUE (run, key)
) STRICT;

-- Webhook calls that are still to be made, of jobs and of runs; of each the oldest first. The body of a call for a job is
-- written when it is sent; that of a run is stored, because it says what was true then.
CREATE TABLE new_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job INTEGER REFERENCES jobs (number),
  run INTEGER REFERENCES runs (number),
  webhook_id TEXT NOT NULL,
  event TEXT NOT NULL,
  task INTEGER, -- of a page event of a job
  content TEXT, -- of an event of a run
  next_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  CHECK ((job IS NULL) <> (run IS NULL))
) STRICT;

INSERT INTO new_deliveries (id, job, webhook_id, event, task, next_at, attempts)
  SELECT id, job, webhook_id, event, task, next_at, attempts FROM deliveries;
DROP TABLE deliveries;
ALTER TABLE new_deliveries RENAME TO deliveries;
CREATE INDEX deliveries_by_job ON deliveries (job, id) WHERE job IS NOT NULL;
CREATE INDEX deliveries_by_run ON deliveries (run, id) WHERE run IS NOT NULL;

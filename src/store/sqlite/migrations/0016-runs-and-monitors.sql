-- Work that goes on by itself: runs, webhook calls and e-mails that they cause, and monitors.

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

-- Jobs that a run has started: the run is billed for their pages.
ALTER TABLE jobs ADD COLUMN run_id TEXT;

-- Monitors, what each of their checks found, and the last version of every page that they know. A check is a run whose group
-- is the monitor. What callers and pages wrote is sealed.

CREATE TABLE monitors (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT, -- prefix of the API key that pays
  status TEXT NOT NULL, -- active, paused, or deleted until nothing refers to it
  definition TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1, -- counts its changes
  next_run_at INTEGER, -- null unless it is active
  last_run_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX monitors_by_team ON monitors (team_id, number) WHERE status <> 'deleted';
CREATE INDEX monitors_by_next_run ON monitors (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX deleted_monitors ON monitors (number) WHERE status = 'deleted';

CREATE TABLE checked_pages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES runs (number),
  target_id TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  previous_scrape_id TEXT,
  current_scrape_id TEXT,
  status_code INTEGER,
  error TEXT,
  created_at INTEGER NOT NULL,
  details TEXT NOT NULL, -- metadata, diff, snapshot, judgment
  UNIQUE (run, target_id, url)
) STRICT;

CREATE INDEX checked_pages_by_run ON checked_pages (run, number);
CREATE INDEX checked_pages_by_status ON checked_pages (run, status, number);

CREATE TABLE watched_pages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  monitor INTEGER NOT NULL REFERENCES monitors (number),
  target_id TEXT NOT NULL,
  url TEXT NOT NULL,
  scrape_id TEXT,
  is_gone INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  is_unwatched INTEGER NOT NULL DEFAULT 0, -- the target or the monitor is gone: to be removed
  version TEXT, -- null if it was never read
  UNIQUE (monitor, target_id, url)
) STRICT;

CREATE INDEX unwatched_pages ON watched_pages (number) WHERE is_unwatched = 1;

-- Who gets e-mails of monitors, and the e-mails that are still to be sent. Addresses and contents are sealed.

CREATE TABLE mail_subscriptions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id TEXT NOT NULL REFERENCES teams (id),
  address TEXT NOT NULL, -- a hash
  email TEXT NOT NULL, -- sealed
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  confirmation TEXT, -- state of the mail that asks the owner of the address
  asked_at INTEGER, -- when that was queued last
  UNIQUE (team_id, address)
) STRICT;

CREATE INDEX asked_addresses ON mail_subscriptions (address, asked_at) WHERE asked_at IS NOT NULL;
CREATE INDEX asked_by_team ON mail_subscriptions (team_id, asked_at) WHERE asked_at IS NOT NULL;

-- A mail that was sent or given up stays for a while without its content, so that it is not queued again.
CREATE TABLE mails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  message_id TEXT NOT NULL,
  subscription INTEGER NOT NULL REFERENCES mail_subscriptions (number),
  is_confirmation INTEGER NOT NULL,
  content TEXT,
  next_at INTEGER, -- null when it is done
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX mails_by_time ON mails (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX done_mails_by_age ON mails (created_at) WHERE next_at IS NULL;

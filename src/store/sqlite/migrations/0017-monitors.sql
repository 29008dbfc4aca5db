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

-- The ledger: one row for each billed event, and the totals of each hour. A request that may leave no trace has no job.

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT, -- prefix of the API key
  operation TEXT NOT NULL,
  job TEXT,
  credits INTEGER NOT NULL,
  tokens INTEGER NOT NULL
) STRICT;

ALTER TABLE usage RENAME TO usage_by_team;

CREATE TABLE usage (
  team_id TEXT NOT NULL REFERENCES teams (id),
  hour INTEGER NOT NULL, -- the time at which the hour began
  key TEXT NOT NULL, -- empty without a key
  operation TEXT NOT NULL,
  credits INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (team_id, hour, key, operation)
) STRICT, WITHOUT ROWID;

INSERT INTO usage SELECT team_id, hour, '', 'unknown', credits, 0 FROM usage_by_team;
DROP TABLE usage_by_team;

-- The key that pays for the pages of a job.
ALTER TABLE jobs ADD COLUMN key TEXT;

-- From here on every request of the last day, not only those that can be rated.
ALTER TABLE requests ADD COLUMN ratable INTEGER NOT NULL DEFAULT 1;
CREATE INDEX requests_by_team ON requests (team_id, created_at, id);

-- Where teams stream their audit events to, and how far each stream has come.

CREATE TABLE siem (
  number INTEGER PRIMARY KEY,
  team_id TEXT NOT NULL UNIQUE REFERENCES teams (id),
  is_enabled INTEGER NOT NULL,
  settings TEXT NOT NULL, -- sealed
  updated_at INTEGER NOT NULL,
  last_event INTEGER NOT NULL, -- everything up to it was delivered
  next_at INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_delivered_at INTEGER,
  failing_since INTEGER,
  last_error TEXT
) STRICT;

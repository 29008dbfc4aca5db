-- Addresses that were given out for files to be sent to, and the files that came, each until it was parsed or its time is
-- over. Their bodies are kept as they are.

CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  declared_size INTEGER,
  created_at INTEGER NOT NULL,
  open_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- Both once the file is there.
  body_id INTEGER REFERENCES bodies (id),
  size INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX uploads_by_body ON uploads (body_id) WHERE body_id IS NOT NULL;
CREATE INDEX uploads_by_team ON uploads (team_id);
CREATE INDEX uploads_by_expiry ON uploads (expires_at);

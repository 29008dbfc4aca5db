-- What the index follows, the requests that can be rated, and what was said about them.

-- One row an address; a change gives it a new number. The body is a compressed JSON text; null: to be forgotten.
CREATE TABLE index_entries (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL UNIQUE,
  first_seen_at INTEGER NOT NULL,
  body_id INTEGER REFERENCES bodies (id)
) STRICT;

CREATE INDEX index_entries_by_body ON index_entries (body_id) WHERE body_id IS NOT NULL;
CREATE INDEX forgotten_entries ON index_entries (change) WHERE body_id IS NULL;

-- What the service remembers about itself from one start to the next.
CREATE TABLE notes (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  endpoint TEXT NOT NULL,
  target TEXT, -- what was asked for, where that may be kept
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX requests_by_expiry ON requests (expires_at);

CREATE TABLE feedback (
  request_id TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  endpoint TEXT NOT NULL,
  content TEXT NOT NULL, -- JSON
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

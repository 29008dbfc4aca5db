-- Archives: what was received for a scrape or a job, or was uploaded.
CREATE TABLE archives (
  id TEXT PRIMARY KEY, -- of the scrape or job
  team_id TEXT NOT NULL REFERENCES teams (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL, -- the file that was uploaded, or the URL
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, -- that of a job stays as long as its job
  warnings TEXT NOT NULL, -- JSON
  key_domains TEXT -- JSON: those that the key was restricted to; null if it was not
) STRICT, WITHOUT ROWID;
CREATE INDEX archives_by_team ON archives (team_id, id);
CREATE INDEX archives_by_expiry ON archives (expires_at);
CREATE INDEX archives_by_age ON archives (created_at, id);

-- The payloads of a team, each once.
CREATE TABLE archive_bodies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id TEXT NOT NULL REFERENCES teams (id),
  digest TEXT NOT NULL, -- SHA-256
  size INTEGER NOT NULL,
  body_id INTEGER NOT NULL REFERENCES bodies (id),
  UNIQUE (team_id, digest)
) STRICT;
CREATE INDEX archive_bodies_by_size ON archive_bodies (size); -- for their sum
CREATE INDEX archive_bodies_by_body ON archive_bodies (body_id);

CREATE TABLE archive_records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  archive_id TEXT NOT NULL REFERENCES archives (id),
  part TEXT NOT NULL, -- the page that it was received for: replaced as a whole if that is read again after a kill
  url TEXT NOT NULL,
  url_hash TEXT NOT NULL,
  url_key TEXT NOT NULL, -- in the order of an index of an archive
  method TEXT NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER NOT NULL,
  type TEXT NOT NULL,
  page TEXT, -- the title, if it is a page and not a part of one
  request BLOB NOT NULL, -- the head
  response BLOB NOT NULL, -- the head
  archive_body INTEGER REFERENCES archive_bodies (id), -- null if it was removed
  digest TEXT NOT NULL,
  truncated INTEGER NOT NULL
) STRICT;
CREATE INDEX archive_records_by_part ON archive_records (archive_id, part);
CREATE INDEX archive_records_by_url ON archive_records (archive_id, url_hash, at, id);
CREATE INDEX archive_records_by_body ON archive_records (archive_body, archive_id, id) WHERE archive_body IS NOT NULL;

-- Files that callers fetch by an address, each until its time is over. Their bodies are kept as they are: pictures and
-- documents are compressed already.

CREATE TABLE files (
  id TEXT PRIMARY KEY,
  body_id INTEGER NOT NULL REFERENCES bodies (id),
  type TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX files_by_body ON files (body_id);
CREATE INDEX files_by_expiry ON files (expires_at);
-- Holds the size too, so that the sum at the start reads this index and nothing else.
CREATE INDEX files_by_age ON files (created_at, id, size);

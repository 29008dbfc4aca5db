-- Sessions of the console, and the one-time link that opens one. Secrets are stored as hashes only.

CREATE TABLE console_sessions (
  hash TEXT PRIMARY KEY, -- of the secret in the cookie
  team_id TEXT NOT NULL REFERENCES teams (id),
  opened_with TEXT NOT NULL, -- key, operator-key or link
  proof TEXT, -- hash of the key; for the operator's own key, a hash that the secret of the cookie is part of
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, -- at the latest
  ends_at INTEGER NOT NULL -- unless it is used before
) STRICT, WITHOUT ROWID;
CREATE INDEX console_sessions_by_end ON console_sessions (ends_at);
CREATE INDEX console_sessions_by_key ON console_sessions (proof, created_at);

CREATE TABLE console_links (
  hash TEXT PRIMARY KEY, -- a link is deleted when it is used
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What teams and keys may do, the threat policies of teams, and the audit log.

ALTER TABLE teams ADD COLUMN settings TEXT NOT NULL DEFAULT '{}'; -- JSON, see contracts/policy.ts

ALTER TABLE keys ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE keys ADD COLUMN label TEXT;
ALTER TABLE keys ADD COLUMN limits TEXT NOT NULL DEFAULT '{}'; -- JSON, see contracts/policy.ts
ALTER TABLE keys ADD COLUMN expires_at INTEGER;
ALTER TABLE keys ADD COLUMN previous_hash TEXT; -- of the secret before the last rotation
ALTER TABLE keys ADD COLUMN previous_until INTEGER; -- that secret is valid until then
UPDATE keys SET id = lower(
  hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' ||
  substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)));
CREATE UNIQUE INDEX keys_by_id ON keys (id);
CREATE UNIQUE INDEX keys_by_previous ON keys (previous_hash) WHERE previous_hash IS NOT NULL;

CREATE TABLE threat_policies (
  team_id TEXT PRIMARY KEY REFERENCES teams (id),
  policy TEXT NOT NULL, -- JSON, see contracts/threat-protection.ts
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  actor TEXT NOT NULL,
  address TEXT,
  action TEXT NOT NULL,
  target TEXT,
  details TEXT -- JSON
) STRICT;
CREATE INDEX audit_by_team ON audit (team_id, id);

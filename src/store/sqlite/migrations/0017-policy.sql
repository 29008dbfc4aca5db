-- Teams and policy: what teams and keys may do, threat policies, the audit log and its streams, agents that got a key by
-- themselves, and what is used without a key.

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

-- Agents that got a key by themselves, and what is used without a key.

CREATE TABLE used_assertions (
  id TEXT PRIMARY KEY, -- hash of issuer and jti
  usable_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX used_assertions_by_end ON used_assertions (usable_until);

CREATE TABLE registrations (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  subject TEXT UNIQUE, -- hash of issuer and person; null for anonymous agents
  claim_hash TEXT UNIQUE, -- of the claim token of an anonymous agent
  email TEXT, -- as the agent says
  requested_at INTEGER,
  claimed_at INTEGER,
  expires_at INTEGER, -- of anonymous agents that are not claimed
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX registrations_by_expiry ON registrations (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE registered_keys (
  registration_id TEXT NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  number INTEGER NOT NULL, -- increases
  key_id TEXT NOT NULL UNIQUE,
  PRIMARY KEY (registration_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE keyless_usage (
  caller TEXT PRIMARY KEY, -- keyed hash of address and day
  day INTEGER NOT NULL, -- days since 1970, UTC
  requests INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX keyless_usage_by_day ON keyless_usage (day);

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

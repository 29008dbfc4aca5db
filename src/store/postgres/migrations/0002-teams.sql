-- works-from: 2
-- Teams with their keys and settings, what they used, the audit log and its streams, sessions of the console, agents that
-- got a key by themselves, and what the service remembers about itself. Times are milliseconds since 1970.

CREATE TABLE teams (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  last_success_at bigint, -- up to the entries of the ledger that are counted
  settings text NOT NULL DEFAULT '{}' -- JSON, see contracts/policy.ts
);

CREATE TABLE keys (
  hash text COLLATE "C" PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  prefix text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  label text,
  limits text NOT NULL DEFAULT '{}', -- JSON, see contracts/policy.ts
  created_at bigint NOT NULL,
  last_used_at bigint,
  expires_at bigint,
  previous_hash text COLLATE "C", -- of the secret before the last rotation
  previous_until bigint -- that secret is valid until then
);
CREATE UNIQUE INDEX keys_by_previous ON keys (previous_hash) WHERE previous_hash IS NOT NULL;
CREATE INDEX keys_by_team ON keys (team_id);
CREATE INDEX keys_by_expiry ON keys (expires_at) WHERE expires_at IS NOT NULL;

-- The ledger. Many processes bill the same team at once, so a charge only adds a row; it is added to the totals of its hour
-- later. The use of a team is the sum of its totals and of its entries that are not counted yet.
CREATE TABLE ledger (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  key text COLLATE "C", -- prefix of the API key
  operation text COLLATE "C" NOT NULL,
  job text, -- a request that may leave no trace has no job
  credits bigint NOT NULL,
  tokens bigint NOT NULL,
  succeeded boolean NOT NULL,
  is_counted boolean NOT NULL DEFAULT false
);
CREATE INDEX uncounted_entries ON ledger (team_id, id) WHERE NOT is_counted;

CREATE TABLE usage (
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  hour bigint NOT NULL, -- the time at which the hour began
  key text COLLATE "C" NOT NULL, -- empty without a key
  operation text COLLATE "C" NOT NULL,
  credits bigint NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (team_id, hour, key, operation)
);
CREATE INDEX usage_by_hour ON usage (hour);

-- Every request of the last day.
CREATE TABLE requests (
  id text COLLATE "C" PRIMARY KEY,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  endpoint text COLLATE "C" NOT NULL,
  target text, -- what was requested, if that may be stored
  is_ratable boolean NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX requests_by_expiry ON requests (expires_at);
CREATE INDEX requests_by_team ON requests (team_id, created_at, id);

CREATE TABLE feedback (
  request_id text COLLATE "C" PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  endpoint text COLLATE "C" NOT NULL,
  content text NOT NULL, -- JSON
  created_at bigint NOT NULL
);

CREATE TABLE threat_policies (
  team_id text COLLATE "C" PRIMARY KEY REFERENCES teams,
  policy text NOT NULL, -- JSON, see contracts/threat-protection.ts
  updated_at bigint NOT NULL
);

-- Events are added while the row of their team is locked, so that those of a team commit in the order of their ids.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  actor text NOT NULL,
  address text,
  action text COLLATE "C" NOT NULL,
  target text,
  details text -- JSON
);
CREATE INDEX audit_by_team ON audit (team_id, id);

-- Where teams stream their audit events to, and how far each stream has come.
CREATE TABLE siem (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id text COLLATE "C" NOT NULL UNIQUE REFERENCES teams,
  is_enabled boolean NOT NULL,
  settings text NOT NULL, -- sealed
  updated_at bigint NOT NULL,
  last_event bigint NOT NULL, -- everything up to it was delivered
  next_at bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  last_delivered_at bigint,
  failing_since bigint,
  last_error text
);
CREATE INDEX siem_by_time ON siem (next_at, number) WHERE is_enabled;

CREATE TABLE used_assertions (
  id text COLLATE "C" PRIMARY KEY, -- hash of issuer and jti
  usable_until bigint NOT NULL
);
CREATE INDEX used_assertions_by_end ON used_assertions (usable_until);

CREATE TABLE registrations (
  id text COLLATE "C" PRIMARY KEY,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  subject text COLLATE "C" UNIQUE, -- hash of issuer and person; null for anonymous agents
  claim_hash text COLLATE "C" UNIQUE, -- of the claim token of an anonymous agent
  email text, -- as the agent says
  requested_at bigint,
  claimed_at bigint,
  expires_at bigint, -- of anonymous agents that are not claimed
  created_at bigint NOT NULL
);
CREATE INDEX registrations_by_expiry ON registrations (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE registered_keys (
  registration_id text COLLATE "C" NOT NULL REFERENCES registrations ON DELETE CASCADE,
  number integer NOT NULL, -- increases
  key_id text COLLATE "C" NOT NULL UNIQUE,
  PRIMARY KEY (registration_id, number)
);

CREATE TABLE keyless_usage (
  caller text COLLATE "C" PRIMARY KEY, -- keyed hash of address and day
  day integer NOT NULL, -- days since 1970, UTC
  requests integer NOT NULL
);
CREATE INDEX keyless_usage_by_day ON keyless_usage (day);

CREATE TABLE console_sessions (
  hash text COLLATE "C" PRIMARY KEY, -- of the secret in the cookie
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  opened_with text COLLATE "C" NOT NULL, -- key, operator-key or link
  proof text COLLATE "C", -- hash of the key; for the operator's own key, a hash that the secret of the cookie is part of
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL, -- at the latest
  ends_at bigint NOT NULL -- unless it is used before
);
CREATE INDEX console_sessions_by_end ON console_sessions (ends_at);
CREATE INDEX console_sessions_by_key ON console_sessions (proof, created_at);

CREATE TABLE console_links (
  hash text COLLATE "C" PRIMARY KEY, -- a link is deleted when it is used
  expires_at bigint NOT NULL
);

-- Programs that select values from pages of one template.
CREATE TABLE programs (
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  used_at bigint NOT NULL,
  PRIMARY KEY (team_id, key)
);
CREATE INDEX programs_by_use ON programs (team_id, used_at);

-- What the service remembers about itself.
CREATE TABLE notes (
  name text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

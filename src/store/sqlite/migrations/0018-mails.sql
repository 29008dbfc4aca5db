-- Who gets e-mails of monitors, and the e-mails that are still to be sent. Addresses and contents are sealed.

CREATE TABLE mail_subscriptions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id TEXT NOT NULL REFERENCES teams (id),
  address TEXT NOT NULL, -- a hash
  email TEXT NOT NULL, -- sealed
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  confirmation TEXT, -- state of the mail that asks the owner of the address
  asked_at INTEGER, -- when that was queued last
  UNIQUE (team_id, address)
) STRICT;

CREATE INDEX asked_addresses ON mail_subscriptions (address, asked_at) WHERE asked_at IS NOT NULL;
CREATE INDEX asked_by_team ON mail_subscriptions (team_id, asked_at) WHERE asked_at IS NOT NULL;

-- A mail that was sent or given up stays for a while without its content, so that it is not queued again.
CREATE TABLE mails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  message_id TEXT NOT NULL,
  subscription INTEGER NOT NULL REFERENCES mail_subscriptions (number),
  is_confirmation INTEGER NOT NULL,
  content TEXT,
  next_at INTEGER, -- null when it is done
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX mails_by_time ON mails (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX done_mails_by_age ON mails (created_at) WHERE next_at IS NULL;

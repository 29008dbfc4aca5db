-- works-from: 5
-- Runs with their steps, monitors with their pages, webhook calls and e-mails. What callers, pages or models wrote is sealed.

-- Work that goes on by itself: an agent, an extraction, a check of a monitor.
CREATE TABLE runs (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  key text, -- prefix of the API key that pays
  kind text NOT NULL,
  group_id text COLLATE "C", -- the thread of an agent, the monitor of a check
  turn integer NOT NULL,
  status text NOT NULL,
  zero_data_retention boolean NOT NULL,
  events text NOT NULL, -- those its webhook wants, joined by commas
  request text NOT NULL,
  webhook text,
  result text,
  error text,
  stop_reason text,
  credits bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  worked_ms bigint NOT NULL DEFAULT 0, -- until the last write
  written_at bigint, -- while it runs: when worked_ms was counted last
  attempt integer NOT NULL DEFAULT 0,
  owner text, -- with lease_until: while it runs
  lease_until bigint,
  cancel_asked_at bigint,
  keep_ms bigint NOT NULL,
  created_at bigint NOT NULL,
  started_at bigint,
  finished_at bigint,
  expires_at bigint NOT NULL -- counts once it has ended
) WITH (fillfactor = 80);

CREATE INDEX unfinished_runs ON runs (kind, number) WHERE status IN ('queued', 'running');
CREATE UNIQUE INDEX unfinished_run_of_group ON runs (group_id)
  WHERE group_id IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX runs_by_team ON runs (team_id, kind, number);
CREATE INDEX runs_by_age ON runs (team_id, created_at, id);
CREATE INDEX runs_by_group ON runs (group_id, number) WHERE group_id IS NOT NULL;
CREATE INDEX ended_runs_by_expiry ON runs (expires_at) WHERE status NOT IN ('queued', 'running');

CREATE TABLE run_steps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL REFERENCES runs,
  key text COLLATE "C" NOT NULL, -- a hash
  name text NOT NULL,
  input text NOT NULL,
  output text, -- null until it has finished
  credits bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  started_at bigint NOT NULL,
  finished_at bigint,
  UNIQUE (run, key)
);

-- Webhook calls. The numbers of jobs and runs are no references: the record of a call outlives them. Calls of one job are
-- numbered while its row is locked, so that they become visible in the order of their numbers.
CREATE TABLE deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  job bigint,
  run bigint,
  webhook_id text NOT NULL,
  event text NOT NULL,
  task bigint, -- of a page event of a job; null once the page was tried again
  content text, -- of an event of a run, as long as the run exists
  status text NOT NULL DEFAULT 'waiting', -- waiting, delivered, failed
  next_at bigint NOT NULL,
  owner text, -- with lease_until: the process that is making the call
  lease_until bigint,
  attempts integer NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  -- Written with the first attempt, because the job may be gone when they are read:
  sender_id text COLLATE "C", -- of the job or the run
  type text, -- the event in full
  url text, -- without what may be a secret, and sealed
  size bigint, -- of the body
  -- Of the last attempt:
  tried_at bigint,
  status_code integer,
  error text,
  CHECK ((job IS NULL) <> (run IS NULL))
) WITH (fillfactor = 80);

CREATE INDEX waiting_deliveries_by_job ON deliveries (job, id) WHERE status = 'waiting' AND job IS NOT NULL;
CREATE INDEX waiting_deliveries_by_run ON deliveries (run, id) WHERE status = 'waiting' AND run IS NOT NULL;
CREATE INDEX leased_deliveries ON deliveries (lease_until) WHERE status = 'waiting' AND lease_until IS NOT NULL;
CREATE INDEX deliveries_by_team ON deliveries (team_id, status, id);
CREATE INDEX deliveries_with_content ON deliveries (run) WHERE content IS NOT NULL;
CREATE INDEX deliveries_by_task ON deliveries (task) WHERE task IS NOT NULL;

-- A check is a run whose group is the monitor.
CREATE TABLE monitors (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  key text, -- prefix of the API key that pays
  status text NOT NULL, -- active, paused, or deleted until nothing refers to it
  definition text NOT NULL,
  version bigint NOT NULL DEFAULT 1, -- counts its changes
  next_run_at bigint, -- null unless it is active
  last_run_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);

CREATE INDEX monitors_by_team ON monitors (team_id, number) WHERE status <> 'deleted';
CREATE INDEX monitors_by_next_run ON monitors (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX deleted_monitors ON monitors (number) WHERE status = 'deleted';

CREATE TABLE checked_pages (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL,
  run bigint NOT NULL REFERENCES runs,
  target_id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  status text NOT NULL,
  previous_scrape_id text,
  current_scrape_id text,
  status_code integer,
  error text,
  created_at bigint NOT NULL,
  details text NOT NULL -- metadata, diff, snapshot, judgment
);

CREATE UNIQUE INDEX checked_pages_by_url ON checked_pages (run, target_id, url_key(url));

CREATE INDEX checked_pages_by_run ON checked_pages (run, number);
CREATE INDEX checked_pages_by_status ON checked_pages (run, status, number);

-- The last version of every page that a monitor knows.
CREATE TABLE watched_pages (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  monitor bigint NOT NULL REFERENCES monitors,
  target_id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  scrape_id text,
  is_gone boolean NOT NULL,
  seen_at bigint NOT NULL,
  is_unwatched boolean NOT NULL DEFAULT false, -- the target or the monitor is gone: to be removed
  version text -- null if it was never read
);

CREATE UNIQUE INDEX watched_pages_by_url ON watched_pages (monitor, target_id, url_key(url));

CREATE INDEX unwatched_pages ON watched_pages (number) WHERE is_unwatched;

-- Who gets e-mails of monitors, and the e-mails that are still to be sent.
CREATE TABLE mail_subscriptions (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  address text COLLATE "C" NOT NULL, -- a hash
  email text NOT NULL, -- sealed
  status text NOT NULL,
  source text NOT NULL,
  confirmation text, -- state of the mail that asks the owner of the address
  asked_at bigint, -- when that was queued last
  UNIQUE (team_id, address)
);

CREATE INDEX asked_addresses ON mail_subscriptions (address, asked_at) WHERE asked_at IS NOT NULL;
CREATE INDEX asked_by_team ON mail_subscriptions (team_id, asked_at) WHERE asked_at IS NOT NULL;

-- A mail that was sent or given up stays for a while without its content, so that it is not queued again.
CREATE TABLE mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE,
  message_id text NOT NULL,
  subscription bigint NOT NULL REFERENCES mail_subscriptions,
  is_confirmation boolean NOT NULL,
  content text,
  next_at bigint, -- null when it is done
  owner text, -- with lease_until: the process that is sending it
  lease_until bigint,
  attempts integer NOT NULL DEFAULT 0,
  created_at bigint NOT NULL
);

CREATE INDEX mails_by_time ON mails (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX done_mails_by_age ON mails (created_at) WHERE next_at IS NULL;
CREATE INDEX mails_by_subscription ON mails (subscription);

-- The schema of a new store: teams, pages, jobs, runs with their monitors, and webhook calls. Times are milliseconds since
-- 1970. What is sealed is encrypted with the secret of the data folder.

-- Teams with their keys, what they used and what they may do.

CREATE TABLE teams (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_success_at INTEGER,
  settings TEXT NOT NULL DEFAULT '{}' -- JSON, see contracts/team/policy.ts
) STRICT;

CREATE TABLE keys (
  hash TEXT PRIMARY KEY,
  prefix TEXT NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  id TEXT NOT NULL DEFAULT '',
  label TEXT,
  limits TEXT NOT NULL DEFAULT '{}', -- JSON, see contracts/team/policy.ts
  expires_at INTEGER,
  previous_hash TEXT, -- of the secret before the last rotation
  previous_until INTEGER -- that secret is valid until then
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX keys_by_id ON keys (id);
CREATE UNIQUE INDEX keys_by_previous ON keys (previous_hash) WHERE previous_hash IS NOT NULL;

-- One row for each billed event, and the totals of each hour.

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT, -- prefix of the API key
  operation TEXT NOT NULL,
  job TEXT, -- a request that may leave no trace has no job
  credits INTEGER NOT NULL,
  tokens INTEGER NOT NULL
) STRICT;

CREATE TABLE usage (
  team_id TEXT NOT NULL REFERENCES teams (id),
  hour INTEGER NOT NULL, -- the time at which the hour began
  key TEXT NOT NULL, -- empty without a key
  operation TEXT NOT NULL,
  credits INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (team_id, hour, key, operation)
) STRICT, WITHOUT ROWID;

-- Every request of the last day, and what was said about those that can be rated.

CREATE TABLE requests (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  endpoint TEXT NOT NULL,
  target TEXT, -- what was requested, if that may be stored
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ratable INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

CREATE INDEX requests_by_expiry ON requests (expires_at);
CREATE INDEX requests_by_team ON requests (team_id, created_at, id);

CREATE TABLE feedback (
  request_id TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  endpoint TEXT NOT NULL,
  content TEXT NOT NULL, -- JSON
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE threat_policies (
  team_id TEXT PRIMARY KEY REFERENCES teams (id),
  policy TEXT NOT NULL, -- JSON, see contracts/threats/threat-protection.ts
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The audit log, where teams stream it to, and how far each stream has come.

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

-- Programs that select values from pages of one template, for the format deterministicJson.
CREATE TABLE programs (
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX programs_by_use ON programs (team_id, used_at);

-- What the service remembers about itself from one start to the next.
CREATE TABLE notes (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Bytes of pages, results, entries, versions, files, profiles and uploads: in the row, or in the blob of that name. Apart
-- from the tables that point here, so that those stay small enough to be scanned. Texts are compressed; files and uploads
-- are kept as they are, because pictures and documents are compressed already.
CREATE TABLE bodies (
  id INTEGER PRIMARY KEY,
  blob TEXT UNIQUE,
  bytes BLOB,
  CHECK ((blob IS NULL) <> (bytes IS NULL))
) STRICT;

-- Blobs that were moved from the data folder to an object store (TRAWL_BLOBS_URL).
CREATE TABLE objects (
  name TEXT PRIMARY KEY, -- the blob of a body
  size INTEGER NOT NULL,
  removed INTEGER NOT NULL -- 1: no body refers to it any more, and it is still to be removed from the object store
) STRICT, WITHOUT ROWID;

CREATE INDEX removed_objects ON objects (name) WHERE removed = 1;

-- The page cache, and the results made from its pages.

CREATE TABLE pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL,
  url TEXT NOT NULL,
  header TEXT NOT NULL, -- JSON
  body_id INTEGER NOT NULL REFERENCES bodies (id),
  size INTEGER NOT NULL, -- of the page and of the results made from it: what its eviction frees
  fetched_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER, -- null: kept until it is evicted
  -- The labels of the host from the last to the first, each with a dot ('test.site.www.'): a host and all hosts below it are
  -- one range. Null for what is no real page (an error, a login wall).
  site TEXT,
  title TEXT,
  description TEXT,
  variant TEXT, -- JSON of what tells the variants of a page apart
  verified INTEGER NOT NULL DEFAULT 0, -- 1: fetched without an invalid certificate
  checked_at INTEGER NOT NULL DEFAULT 0, -- when it was last known to be as it is here: a site may confirm a page
  owner TEXT NOT NULL DEFAULT '', -- '*' is everyone, '' are the teams that share, anything else is the id of one team
  final_url TEXT -- where the URL led, if that is elsewhere: the page is listed and deleted under it
) STRICT;

CREATE INDEX pages_by_key ON pages (key, fetched_at);
CREATE INDEX pages_by_body ON pages (body_id);
CREATE INDEX pages_by_expiry ON pages (expires_at) WHERE expires_at IS NOT NULL;
-- Holds the size too, so that the sum at the start reads this index and nothing else.
CREATE INDEX pages_by_use ON pages (used_at, size);
-- The pages of a site are listed from this index alone, so it has to know the owner.
CREATE INDEX pages_by_site ON pages (site, url, fetched_at, owner) WHERE site IS NOT NULL;
-- The URLs of an owner are read in their order: those of a host are a range.
CREATE INDEX pages_by_url ON pages (owner, url, final_url);
CREATE INDEX pages_by_final_url ON pages (owner, final_url) WHERE final_url IS NOT NULL;

CREATE TABLE results (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  page_id INTEGER REFERENCES pages (id),
  transform_key TEXT NOT NULL,
  body_id INTEGER NOT NULL REFERENCES bodies (id), -- two JSON texts, a line each: the content, and the rest of the outcome
  size INTEGER NOT NULL,
  keep_until INTEGER -- null while a page or a scrape refers to it
) STRICT;

CREATE INDEX results_by_page ON results (page_id, transform_key) WHERE page_id IS NOT NULL;
CREATE INDEX results_by_body ON results (body_id);
CREATE INDEX loose_results_by_end ON results (keep_until) WHERE keep_until IS NOT NULL;

-- What the index follows: one row for a URL and an owner, which gets a new number with every change. Numbers are never given
-- out twice, not even those of rows that are gone.
CREATE TABLE index_entries (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  url TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  body_id INTEGER REFERENCES bodies (id), -- null: to be forgotten
  rank INTEGER NOT NULL, -- of the variant that it was made from: 0 is the best
  fetched_at INTEGER NOT NULL,
  verified INTEGER NOT NULL DEFAULT 0, -- an unverified page never replaces a verified one
  UNIQUE (owner, url)
) STRICT;

CREATE INDEX index_entries_by_body ON index_entries (body_id) WHERE body_id IS NOT NULL;
CREATE INDEX forgotten_entries ON index_entries (change) WHERE body_id IS NULL;

-- Counters for each owner and host, changed by the transactions that change what they count.
CREATE TABLE stored_hosts (
  owner TEXT NOT NULL,
  name TEXT NOT NULL, -- the host without `www.`, by which people look for it
  host TEXT NOT NULL,
  pages INTEGER NOT NULL, -- in the index
  tracked INTEGER NOT NULL, -- histories of pages
  bytes INTEGER NOT NULL, -- of cached pages
  newest_at INTEGER NOT NULL,
  PRIMARY KEY (owner, name, host)
) STRICT, WITHOUT ROWID;

CREATE INDEX stored_hosts_by_pages ON stored_hosts (owner, pages DESC, name, host);

-- Histories of pages whose changes are tracked. There is one for each team, URL, tag and way of redacting, which `key` is the
-- hash of. Each stays until the team is gone; its newest version with a body is what the next look is compared with.

CREATE TABLE page_history (
  key TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  url TEXT NOT NULL,
  tag TEXT,
  redacted INTEGER NOT NULL,
  crawl TEXT -- the crawls that know the page: a hash of their start and tag; null after a single scrape, or if it is gone
) STRICT, WITHOUT ROWID;

CREATE INDEX page_history_by_crawl ON page_history (crawl, url) WHERE crawl IS NOT NULL;
CREATE INDEX page_history_by_team ON page_history (team_id, url);

CREATE TABLE page_versions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  history TEXT NOT NULL REFERENCES page_history (key),
  status TEXT NOT NULL, -- new, same (it had been gone), changed or removed
  at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL, -- the last look that found it like this
  body_id INTEGER REFERENCES bodies (id), -- null if the page was gone
  size INTEGER NOT NULL
) STRICT;

CREATE INDEX page_versions_by_history ON page_versions (history, number);
CREATE INDEX page_versions_by_body ON page_versions (body_id) WHERE body_id IS NOT NULL;

-- Files that callers download through a link, each until its time is over.
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

-- Screenshots of cached pages. The file stays as long as its page, or as long as the last link to it.
CREATE TABLE screenshots (
  page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  options TEXT NOT NULL,
  file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  PRIMARY KEY (page_id, options)
) STRICT, WITHOUT ROWID;

CREATE INDEX screenshots_by_file ON screenshots (file_id);

-- What browsers have stored for a team under a name, until the team removes it. The bodies are encrypted.
CREATE TABLE profiles (
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  body_id INTEGER NOT NULL REFERENCES bodies (id),
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX profiles_by_body ON profiles (body_id);

-- URLs that were given out for files to be sent to, and the files that came, each until it was parsed or its time is over.
CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  declared_size INTEGER,
  created_at INTEGER NOT NULL,
  open_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- Both once the file is there:
  body_id INTEGER REFERENCES bodies (id),
  size INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX uploads_by_body ON uploads (body_id) WHERE body_id IS NOT NULL;
CREATE INDEX uploads_by_team ON uploads (team_id);
CREATE INDEX uploads_by_expiry ON uploads (expires_at);

-- Jobs with their tasks, and scrapes: of a caller, or of a page of a job.

CREATE TABLE jobs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  team_id TEXT NOT NULL REFERENCES teams (id),
  kind TEXT NOT NULL,
  home TEXT NOT NULL,
  events TEXT NOT NULL, -- those its webhook wants, joined by commas
  page_limit INTEGER NOT NULL,
  zero_data_retention INTEGER NOT NULL,
  status TEXT NOT NULL,
  total INTEGER NOT NULL DEFAULT 0, -- pages waiting, running, paused and done
  completed INTEGER NOT NULL DEFAULT 0, -- pages done; also the position of the next result
  failed INTEGER NOT NULL DEFAULT 0,
  blocked INTEGER NOT NULL DEFAULT 0,
  credits INTEGER NOT NULL DEFAULT 0,
  kick_offs INTEGER NOT NULL DEFAULT 0, -- those that have not ended
  spares INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  has_leftovers INTEGER NOT NULL DEFAULT 0, -- it has ended, and tasks that will never run are still to be removed
  error TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  expires_at INTEGER NOT NULL, -- counts once it has ended
  key TEXT, -- prefix of the API key that pays
  known INTEGER NOT NULL DEFAULT 0, -- tasks in that state
  run_id TEXT, -- the run that has started it and pays for its pages
  paused_at INTEGER, -- no page is claimed while it is set
  dropped_links INTEGER NOT NULL DEFAULT 0 -- 1: it has found more pages than it can remember
) STRICT;

CREATE INDEX unfinished_jobs ON jobs (team_id, created_at) WHERE status = 'scraping';
CREATE INDEX finished_jobs_by_expiry ON jobs (expires_at) WHERE status <> 'scraping';
CREATE INDEX jobs_with_leftovers ON jobs (number) WHERE has_leftovers = 1;
CREATE INDEX paused_jobs ON jobs (paused_at) WHERE paused_at IS NOT NULL;
-- Jobs that a run has started are a part of the run.
CREATE INDEX jobs_by_age ON jobs (team_id, created_at, id) WHERE run_id IS NULL;

-- What never changes of a job, apart from its counters: those are written with every page, and this may be large.
CREATE TABLE job_requests (
  job INTEGER PRIMARY KEY REFERENCES jobs (number),
  url TEXT NOT NULL,
  options TEXT NOT NULL, -- sealed
  webhook TEXT -- sealed
) STRICT;

-- The idempotency keys of jobs and runs.
CREATE TABLE job_keys (
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_keys_by_age ON job_keys (created_at);

-- States: waiting, running, paused (waiting until due_at), spare (waits for the place of another page), known (only an earlier
-- crawl has found it), done, duplicate (another task is the same page, or its pattern was closed), failed, blocked (by
-- robots.txt), refused (out of scope, only listed). A known page waits until nothing else is left to read. If a link leads to
-- it before, it becomes an ordinary task; if not, it is read as a page that nothing links to.
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: a worker may still hold one that is gone
  job INTEGER NOT NULL REFERENCES jobs (number),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  url TEXT NOT NULL,
  key TEXT NOT NULL,
  host TEXT NOT NULL,
  depth INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  pattern TEXT NOT NULL,
  chained INTEGER NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  owner TEXT, -- with lease_until: while it runs
  lease_until INTEGER,
  due_at INTEGER,
  ended_at INTEGER,
  scrape_id TEXT,
  final_key TEXT, -- where it was found, unless that is its own key
  group_key TEXT,
  exact TEXT,
  gist TEXT,
  simhash TEXT,
  code TEXT,
  message TEXT,
  last_modified INTEGER, -- the latest time at which the page can have changed, if a sitemap says so
  unlinked INTEGER NOT NULL DEFAULT 0, -- 1: known from an earlier crawl, and no page of this one links to it
  UNIQUE (job, key)
) STRICT;

CREATE INDEX waiting_tasks ON tasks (job, host, id) WHERE state = 'waiting';
CREATE INDEX running_tasks ON tasks (job, lease_until, owner) WHERE state = 'running';
CREATE INDEX paused_tasks ON tasks (job, due_at) WHERE state = 'paused';
CREATE INDEX spare_tasks ON tasks (job, id) WHERE state = 'spare';
CREATE INDEX tasks_with_problems ON tasks (job, state, id) WHERE state IN ('failed', 'blocked', 'refused');
CREATE INDEX tasks_by_final_key ON tasks (job, final_key) WHERE final_key IS NOT NULL;
CREATE INDEX done_tasks_by_group ON tasks (job, group_key, exact, simhash) WHERE state = 'done';
CREATE INDEX open_tasks_by_pattern ON tasks (job, pattern) WHERE state IN ('waiting', 'paused', 'spare') AND pattern <> '';
-- Holds the prints, because a hundred of them are compared with each new page of the pattern.
CREATE INDEX texts_by_pattern ON tasks (job, pattern, ended_at, exact, gist, simhash) WHERE exact IS NOT NULL AND pattern <> '';
CREATE INDEX known_tasks ON tasks (job, id) WHERE state = 'known';
-- They run again when a crawl is extended.
CREATE INDEX kick_off_tasks ON tasks (job) WHERE kind = 'kick-off';
-- The pages of a job in the order in which they ended. Host and state are in it, so that they are counted without the rows.
CREATE INDEX ended_pages ON tasks (job, ended_at, id, host, state) WHERE kind = 'page' AND state IN ('done', 'failed', 'blocked');

-- Patterns of URLs with pages that brought nothing new, so many in a row.
CREATE TABLE job_patterns (
  job INTEGER NOT NULL REFERENCES jobs (number),
  pattern TEXT NOT NULL,
  barren INTEGER NOT NULL,
  closed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (job, pattern)
) STRICT, WITHOUT ROWID;

CREATE TABLE scrapes (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  url TEXT NOT NULL,
  metadata TEXT NOT NULL, -- JSON
  warning TEXT,
  result_id INTEGER NOT NULL REFERENCES results (id),
  created_at INTEGER NOT NULL,
  -- Of a scrape for itself:
  options TEXT, -- sealed
  expires_at INTEGER,
  -- Of a page of a job, which has the options and the expiry for all of them:
  job INTEGER REFERENCES jobs (number),
  position INTEGER,
  -- JSON of what only this scrape has: links to its own files, and null for formats that its page cannot give.
  own_content TEXT,
  CHECK ((job IS NULL) = (options IS NOT NULL AND expires_at IS NOT NULL)),
  CHECK ((job IS NULL) = (position IS NULL))
) STRICT;

CREATE INDEX scrapes_by_expiry ON scrapes (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX scrapes_by_result ON scrapes (result_id);
CREATE UNIQUE INDEX scrapes_by_job ON scrapes (job, position) WHERE job IS NOT NULL;

-- Runs: work that goes on by itself (an agent, an extraction, a check of a monitor), with its steps. Everything that callers,
-- pages or models wrote is sealed.

CREATE TABLE runs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT, -- prefix of the API key that pays
  kind TEXT NOT NULL,
  group_id TEXT, -- the thread of an agent, the monitor of a check
  turn INTEGER NOT NULL,
  status TEXT NOT NULL,
  zero_data_retention INTEGER NOT NULL,
  events TEXT NOT NULL, -- those its webhook wants, joined by commas
  request TEXT NOT NULL,
  webhook TEXT,
  result TEXT,
  error TEXT,
  stop_reason TEXT,
  credits INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  worked_ms INTEGER NOT NULL DEFAULT 0, -- until the last write
  written_at INTEGER, -- while it runs: when worked_ms was counted last
  attempt INTEGER NOT NULL DEFAULT 0,
  owner TEXT, -- with lease_until: while it runs
  lease_until INTEGER,
  cancel_asked_at INTEGER,
  keep_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  expires_at INTEGER NOT NULL -- counts once it has ended
) STRICT;

CREATE INDEX unfinished_runs ON runs (kind, number) WHERE status IN ('queued', 'running');
CREATE UNIQUE INDEX unfinished_run_of_group ON runs (group_id) WHERE group_id IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX runs_by_team ON runs (team_id, kind, number);
CREATE INDEX runs_by_group ON runs (group_id, number) WHERE group_id IS NOT NULL;
CREATE INDEX ended_runs_by_expiry ON runs (expires_at) WHERE status NOT IN ('queued', 'running');
CREATE INDEX runs_by_age ON runs (team_id, created_at, id);

CREATE TABLE run_steps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES runs (number),
  key TEXT NOT NULL, -- a hash
  name TEXT NOT NULL,
  input TEXT NOT NULL,
  output TEXT, -- null until it has finished
  credits INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  UNIQUE (run, key)
) STRICT;

-- Monitors, what each of their checks found, and the last version of every page that they know. A check is a run whose group
-- is the monitor. What callers and pages wrote is sealed.

CREATE TABLE monitors (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT, -- prefix of the API key that pays
  status TEXT NOT NULL, -- active, paused, or deleted until nothing refers to it
  definition TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1, -- counts its changes
  next_run_at INTEGER, -- null unless it is active
  last_run_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX monitors_by_team ON monitors (team_id, number) WHERE status <> 'deleted';
CREATE INDEX monitors_by_next_run ON monitors (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX deleted_monitors ON monitors (number) WHERE status = 'deleted';

CREATE TABLE checked_pages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES runs (number),
  target_id TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  previous_scrape_id TEXT,
  current_scrape_id TEXT,
  status_code INTEGER,
  error TEXT,
  created_at INTEGER NOT NULL,
  details TEXT NOT NULL, -- metadata, diff, snapshot, judgment
  UNIQUE (run, target_id, url)
) STRICT;

CREATE INDEX checked_pages_by_run ON checked_pages (run, number);
CREATE INDEX checked_pages_by_status ON checked_pages (run, status, number);

CREATE TABLE watched_pages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  monitor INTEGER NOT NULL REFERENCES monitors (number),
  target_id TEXT NOT NULL,
  url TEXT NOT NULL,
  scrape_id TEXT,
  is_gone INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  is_unwatched INTEGER NOT NULL DEFAULT 0, -- the target or the monitor is gone: to be removed
  version TEXT, -- null if it was never read
  UNIQUE (monitor, target_id, url)
) STRICT;

CREATE INDEX unwatched_pages ON watched_pages (number) WHERE is_unwatched = 1;

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

-- Webhook calls of jobs and runs, of each the oldest first. They stay after they were made: what was sent where, whether it
-- arrived, and what is needed to send it again. The numbers of jobs and runs are no references: the record of a call outlives
-- them. They are never used again. The body of a call for a job is written when it is sent; that of a run is stored, because
-- it says what was true then.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id TEXT NOT NULL REFERENCES teams (id),
  job INTEGER,
  run INTEGER,
  webhook_id TEXT NOT NULL,
  event TEXT NOT NULL,
  task INTEGER, -- of a page event of a job; null once the page was tried again
  content TEXT, -- of an event of a run, as long as the run exists
  status TEXT NOT NULL DEFAULT 'waiting', -- waiting, delivered, failed
  next_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- Written with the first attempt, because the job may be gone when they are read:
  sender_id TEXT, -- of the job or the run
  type TEXT, -- the event in full
  url TEXT, -- without what may be a secret, and sealed
  size INTEGER, -- of the body
  -- Of the last attempt:
  tried_at INTEGER,
  status_code INTEGER,
  error TEXT,
  CHECK ((job IS NULL) <> (run IS NULL))
) STRICT;

CREATE INDEX waiting_deliveries_by_job ON deliveries (job, id) WHERE status = 'waiting' AND job IS NOT NULL;
CREATE INDEX waiting_deliveries_by_run ON deliveries (run, id) WHERE status = 'waiting' AND run IS NOT NULL;
CREATE INDEX deliveries_by_team ON deliveries (team_id, status, id);
CREATE INDEX deliveries_with_content ON deliveries (run) WHERE content IS NOT NULL;
-- A page that is tried again takes back the event of its failure, unless that was sent.
CREATE INDEX deliveries_by_task ON deliveries (task) WHERE task IS NOT NULL;

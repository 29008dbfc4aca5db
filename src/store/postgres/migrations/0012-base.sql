-- works-from: 9
-- The schema of a new database: the processes that share it, teams, pages, jobs, runs with their monitors, and what the
-- processes count together. Times are milliseconds since 1970. What is sealed is encrypted with the secret of the installation.

-- One row: a check value of the secret that all processes must have.
CREATE TABLE installation (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  secret_check text NOT NULL
);

-- The processes that share this database. A process is alive while it renews `seen_at`.
CREATE TABLE processes (
  id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL,
  url text NOT NULL,
  version text NOT NULL,
  protocol integer NOT NULL,
  has_browser boolean NOT NULL,
  free_pages integer NOT NULL,
  free_sessions integer NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  proof text NOT NULL DEFAULT '', -- that a process of this installation has written where it is: others send it what is sealed
  max_concurrency integer NOT NULL DEFAULT 0 -- how much it runs at once for one team; 0 in older versions, which do not say it
);

-- Which process has a browser session. Its other facts are in that process.
CREATE TABLE session_places (
  id text PRIMARY KEY,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  team_id text NOT NULL,
  -- The scrape that the session continues; it has one session at a time.
  scrape text,
  -- Hashes of the tokens in its links.
  tokens text[] NOT NULL DEFAULT '{}',
  ended_at bigint
);
CREATE INDEX session_places_by_team ON session_places (team_id);
CREATE INDEX session_places_by_process ON session_places (process_id);
CREATE INDEX session_places_by_token ON session_places USING gin (tokens);
CREATE INDEX session_places_by_end ON session_places (ended_at) WHERE ended_at IS NOT NULL;
CREATE UNIQUE INDEX session_places_by_scrape ON session_places (scrape) WHERE scrape IS NOT NULL AND ended_at IS NULL;

-- Work that one process at a time does, such as feeding an index that all share.
CREATE TABLE leases (
  name text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  lease_until bigint NOT NULL
);

-- The move of an embedded data folder into this database: which folder, and how far it has come.
CREATE TABLE folder_moves (
  origin text PRIMARY KEY, -- a hash of the secret of the folder
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);

CREATE TABLE folder_move_tables (
  name text PRIMARY KEY,
  position text NOT NULL, -- JSON: the key of the last row that was copied
  copied bigint NOT NULL
);

-- Teams with their keys and settings, what they used, the audit log and its streams, sessions of the console, agents that
-- got a key by themselves, and what the service remembers about itself.

CREATE TABLE teams (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  last_success_at bigint, -- up to the entries of the ledger that are counted
  settings text NOT NULL DEFAULT '{}' -- JSON, see contracts/team/policy.ts
);

CREATE TABLE keys (
  hash text COLLATE "C" PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  prefix text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  label text,
  limits text NOT NULL DEFAULT '{}', -- JSON, see contracts/team/policy.ts
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
  is_counted boolean NOT NULL DEFAULT false,
  once uuid -- of a charge that is written again when its connection was lost, and must not count twice
);
CREATE INDEX uncounted_entries ON ledger (team_id, id) WHERE NOT is_counted;
CREATE UNIQUE INDEX charges_once ON ledger (once) WHERE once IS NOT NULL;

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
  policy text NOT NULL, -- JSON, see contracts/threats/threat-protection.ts
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

-- Large bodies, in parts, for installations without an object store.
CREATE TABLE blobs (
  name text COLLATE "C" PRIMARY KEY,
  size bigint NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE blob_parts (
  blob text COLLATE "C" NOT NULL REFERENCES blobs ON DELETE CASCADE,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (blob, part)
);
-- What is stored is compressed already.
ALTER TABLE blob_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- The page cache, results, histories, entries of the index, files, profiles and uploads.
-- Bodies are compressed bytes: small ones in the row (bytes), large ones in the blob store (blob is their name).

-- An index cannot hold long texts. URLs are ASCII: their keys sort like they do, except for the ends of very long ones.
CREATE FUNCTION url_key(url text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN length(url) <= 900 THEN url ELSE left(url, 868) || md5(url) END;

CREATE TABLE pages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL, -- '*' is everyone, '' are the teams that share, anything else is the id of one team
  url text COLLATE "C" NOT NULL,
  final_url text COLLATE "C", -- where it led, if that is elsewhere
  header text NOT NULL, -- JSON
  status integer NOT NULL,
  content_type text NOT NULL,
  variant text NOT NULL, -- JSON
  verified boolean NOT NULL,
  site text COLLATE "C", -- null for what is no real page (an error, a login wall)
  title text,
  description text,
  blob text COLLATE "C",
  bytes bytea,
  size bigint NOT NULL, -- of the page and of the results made from it: what its eviction frees
  fetched_at bigint NOT NULL,
  checked_at bigint NOT NULL, -- when it was last known to be as it is here
  used_at bigint NOT NULL,
  expires_at bigint, -- null: kept until it is evicted
  CHECK ((blob IS NULL) <> (bytes IS NULL))
);
CREATE INDEX pages_by_key ON pages (key, fetched_at, id);
CREATE INDEX pages_by_url ON pages (owner, url_key(url), fetched_at);
CREATE INDEX pages_by_final_url ON pages (owner, url_key(final_url), fetched_at) WHERE final_url IS NOT NULL;
CREATE INDEX pages_by_site ON pages (site, url_key(url), fetched_at, owner) WHERE site IS NOT NULL;
CREATE INDEX pages_by_expiry ON pages (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX pages_by_use ON pages (used_at, id);
CREATE UNIQUE INDEX pages_by_blob ON pages (blob) WHERE blob IS NOT NULL;

CREATE TABLE results (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  page_id bigint REFERENCES pages,
  transform_key text COLLATE "C" NOT NULL,
  blob text COLLATE "C",
  bytes bytea, -- two JSON texts, a line each: the content, and the rest of the outcome
  size bigint NOT NULL,
  keep_until bigint, -- null while a page or a scrape refers to it
  CHECK ((blob IS NULL) <> (bytes IS NULL))
);
CREATE INDEX results_by_page ON results (page_id, transform_key) WHERE page_id IS NOT NULL;
CREATE INDEX loose_results_by_end ON results (keep_until) WHERE keep_until IS NOT NULL;
CREATE UNIQUE INDEX results_by_blob ON results (blob) WHERE blob IS NOT NULL;

-- One row a URL and owner. Without a body, the page is to be removed from the index.
CREATE TABLE index_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  first_seen_at bigint NOT NULL,
  rank integer NOT NULL, -- of the variant that it was made from: 0 is the best
  verified boolean NOT NULL,
  fetched_at bigint NOT NULL,
  blob text COLLATE "C",
  bytes bytea,
  -- A change is pending until a reader gives it its number. Transactions commit in another order than they begin, so a
  -- number that they took themselves could appear behind one that was read already.
  pending bigint,
  change bigint UNIQUE,
  CHECK ((pending IS NULL) <> (change IS NULL)),
  CHECK (blob IS NULL OR bytes IS NULL)
);
CREATE UNIQUE INDEX index_entries_by_url ON index_entries (owner, url_key(url));
CREATE INDEX pending_entries ON index_entries (pending) WHERE pending IS NOT NULL;
CREATE INDEX removed_entries ON index_entries (change) WHERE blob IS NULL AND bytes IS NULL;
CREATE UNIQUE INDEX index_entries_by_blob ON index_entries (blob) WHERE blob IS NOT NULL;
CREATE SEQUENCE pending_changes;

-- One row. Its lock makes the numbers appear in their order.
CREATE TABLE index_feed (
  newest bigint NOT NULL, -- the last number that was given to a change
  dropped bigint NOT NULL -- the highest number of a removal that was dropped
);
INSERT INTO index_feed (newest, dropped) VALUES (0, 0);

CREATE TABLE feed_consumers (
  name text COLLATE "C" PRIMARY KEY,
  acknowledged bigint NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Counters for each owner and host, which only the fold changes: many transactions would wait for each other here.
CREATE TABLE stored_hosts (
  owner text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL, -- the host without `www.`, by which people look for it
  host text COLLATE "C" NOT NULL,
  pages bigint NOT NULL, -- in the index
  tracked bigint NOT NULL, -- histories of pages
  bytes bigint NOT NULL, -- of cached pages
  newest_at bigint NOT NULL,
  PRIMARY KEY (owner, name, host)
);
CREATE INDEX stored_hosts_by_pages ON stored_hosts (owner, pages DESC, name, host);

-- What transactions add to the counters, until it is folded into them.
CREATE TABLE host_changes (
  owner text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  host text COLLATE "C" NOT NULL,
  pages bigint NOT NULL,
  tracked bigint NOT NULL,
  bytes bigint NOT NULL,
  at bigint NOT NULL
);

-- Histories of pages whose changes are tracked. The newest version with a body is what the next look is compared with.
CREATE TABLE page_history (
  key text COLLATE "C" PRIMARY KEY,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  url text COLLATE "C" NOT NULL,
  tag text,
  redacted boolean NOT NULL,
  crawl text COLLATE "C" -- the crawls that know the page: a hash of their start and tag; null after a single scrape, or if it is gone
);
CREATE INDEX page_history_by_crawl ON page_history (crawl, url_key(url)) WHERE crawl IS NOT NULL;
CREATE INDEX page_history_by_team ON page_history (team_id, url_key(url));

CREATE TABLE page_versions (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  history text COLLATE "C" NOT NULL REFERENCES page_history,
  status text NOT NULL, -- new, same (it had been gone), changed or removed
  at bigint NOT NULL,
  seen_at bigint NOT NULL, -- the last look that found it like this
  blob text COLLATE "C", -- no body if the page was gone
  bytes bytea,
  size bigint NOT NULL,
  hash text, -- of the text
  CHECK (blob IS NULL OR bytes IS NULL)
);
CREATE INDEX page_versions_by_history ON page_versions (history, number);
CREATE UNIQUE INDEX page_versions_by_blob ON page_versions (blob) WHERE blob IS NOT NULL;

-- Files that callers download through a link. Pictures and documents are compressed already.
CREATE TABLE files (
  id text COLLATE "C" PRIMARY KEY,
  type text NOT NULL,
  blob text COLLATE "C",
  bytes bytea,
  size bigint NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  CHECK ((blob IS NULL) <> (bytes IS NULL))
);
CREATE INDEX files_by_expiry ON files (expires_at);
-- Holds the size too, so that a sum reads this index and nothing else.
CREATE INDEX files_by_age ON files (created_at, id) INCLUDE (size);
CREATE UNIQUE INDEX files_by_blob ON files (blob) WHERE blob IS NOT NULL;

-- Screenshots of cached pages. The file stays as long as its page, or as long as the last link to it.
CREATE TABLE screenshots (
  page_id bigint NOT NULL REFERENCES pages ON DELETE CASCADE,
  options text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL REFERENCES files ON DELETE CASCADE,
  PRIMARY KEY (page_id, options)
);
CREATE INDEX screenshots_by_file ON screenshots (file_id);

-- What browsers have stored for a team under a name. Encrypted.
CREATE TABLE profiles (
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  name text COLLATE "C" NOT NULL,
  blob text COLLATE "C",
  bytes bytea,
  saved_at bigint NOT NULL,
  PRIMARY KEY (team_id, name),
  CHECK ((blob IS NULL) <> (bytes IS NULL))
);
CREATE UNIQUE INDEX profiles_by_blob ON profiles (blob) WHERE blob IS NOT NULL;

-- URLs that were given out for files to be sent to, and the files that came.
CREATE TABLE uploads (
  id text COLLATE "C" PRIMARY KEY,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  name text NOT NULL,
  type text NOT NULL,
  declared_size bigint,
  created_at bigint NOT NULL,
  open_until bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- Both once the file is there:
  blob text COLLATE "C",
  size bigint,
  CHECK ((blob IS NULL) = (size IS NULL))
);
CREATE INDEX uploads_by_team ON uploads (team_id);
CREATE INDEX uploads_by_expiry ON uploads (expires_at);
CREATE UNIQUE INDEX uploads_by_blob ON uploads (blob) WHERE blob IS NOT NULL;

-- One row: which process removes what has expired, and until when it may.
CREATE TABLE sweep_lease (
  owner text NOT NULL,
  ends_at timestamptz NOT NULL
);
INSERT INTO sweep_lease (owner, ends_at) VALUES ('', now());

-- Blobs that no row names any more. They are removed after the commit, by any process.
CREATE TABLE removed_blobs (
  name text COLLATE "C" PRIMARY KEY
);

-- What is stored is compressed already.
ALTER TABLE pages ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE results ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE index_entries ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE page_versions ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE files ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE profiles ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE VIEW named_blobs AS
  SELECT blob AS name FROM pages WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM results WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM index_entries WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM page_versions WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM files WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM profiles WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM uploads WHERE blob IS NOT NULL;

-- Jobs with their tasks, the idempotency keys of the last day, scrapes, and which process owns which host.

CREATE TABLE jobs (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  key text, -- prefix of the API key that pays
  kind text NOT NULL,
  home text NOT NULL,
  events text NOT NULL, -- those its webhook wants, joined by commas
  page_limit bigint NOT NULL,
  zero_data_retention boolean NOT NULL,
  run_id text COLLATE "C", -- the run that has started it and pays for its pages
  status text NOT NULL,
  total bigint NOT NULL DEFAULT 0, -- pages waiting, running, paused and done
  completed bigint NOT NULL DEFAULT 0, -- pages done; also the position of the next result
  failed bigint NOT NULL DEFAULT 0,
  blocked bigint NOT NULL DEFAULT 0,
  credits bigint NOT NULL DEFAULT 0,
  kick_offs bigint NOT NULL DEFAULT 0, -- those that have not ended
  spares bigint NOT NULL DEFAULT 0,
  known bigint NOT NULL DEFAULT 0, -- tasks in that state
  refused bigint NOT NULL DEFAULT 0,
  has_leftovers boolean NOT NULL DEFAULT false, -- it has ended, and tasks that will never run are still to be removed
  dropped_links boolean NOT NULL DEFAULT false, -- it has found more pages than it can remember
  paused_at bigint, -- no page is claimed while it is set
  error text,
  created_at bigint NOT NULL,
  finished_at bigint,
  expires_at bigint NOT NULL -- counts once it has ended
) WITH (fillfactor = 50); -- its counters change with every page: the new version of a row fits beside the old one

CREATE INDEX unfinished_jobs ON jobs (team_id, created_at) WHERE status = 'scraping';
CREATE INDEX finished_jobs_by_expiry ON jobs (expires_at) WHERE status <> 'scraping';
CREATE INDEX jobs_with_leftovers ON jobs (number) WHERE has_leftovers;
CREATE INDEX paused_jobs ON jobs (paused_at) WHERE paused_at IS NOT NULL;
-- Jobs that a run has started are a part of the run.
CREATE INDEX jobs_by_age ON jobs (team_id, created_at, id) WHERE run_id IS NULL;

-- What never changes of a job, apart from its counters: those are written with every page, and this may be large.
CREATE TABLE job_requests (
  job bigint PRIMARY KEY REFERENCES jobs,
  url text NOT NULL,
  options text NOT NULL, -- sealed
  webhook text -- sealed
);

-- The idempotency keys of jobs and runs.
CREATE TABLE job_keys (
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  key text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (team_id, key)
);

CREATE INDEX job_keys_by_age ON job_keys (created_at);

-- States: waiting, running, paused (waiting until due_at), spare (waits for the place of another page), known (only an earlier
-- crawl has found it), done, duplicate (another task is the same page, or its pattern was closed), failed, blocked (by
-- robots.txt), refused (out of scope, only listed).
CREATE TABLE tasks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job bigint NOT NULL REFERENCES jobs,
  kind text NOT NULL,
  state text NOT NULL,
  url text NOT NULL,
  key text COLLATE "C" NOT NULL, -- shortened like the other indexed texts: an entry of an index has at most 2,704 bytes
  full_key text, -- if the key is shortened
  host text COLLATE "C" NOT NULL,
  depth bigint NOT NULL,
  steps bigint NOT NULL,
  pattern text COLLATE "C" NOT NULL,
  chained boolean NOT NULL,
  attempt bigint NOT NULL DEFAULT 0,
  unlinked boolean NOT NULL DEFAULT false, -- known from an earlier crawl, and no page of this one links to it
  last_modified bigint, -- according to its sitemap
  owner text COLLATE "C", -- with lease_until: while it runs
  lease_until bigint,
  due_at bigint,
  ended_at bigint,
  scrape_id text COLLATE "C",
  final_key text COLLATE "C", -- where it was found, unless that is its own key
  group_key text COLLATE "C",
  exact text COLLATE "C",
  gist text,
  simhash text,
  code text,
  message text
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

CREATE UNIQUE INDEX tasks_by_key ON tasks (job, key);
CREATE INDEX waiting_tasks ON tasks (job, host, id) WHERE state = 'waiting';
CREATE INDEX running_tasks ON tasks (job, lease_until) WHERE state = 'running';
CREATE INDEX paused_tasks ON tasks (job, due_at) WHERE state = 'paused';
CREATE INDEX spare_tasks ON tasks (job, id) WHERE state = 'spare';
CREATE INDEX known_tasks ON tasks (job, id) WHERE state = 'known';
CREATE INDEX tasks_with_problems ON tasks (job, state, id) WHERE state IN ('failed', 'blocked', 'refused');
CREATE INDEX tasks_by_final_key ON tasks (job, final_key) WHERE final_key IS NOT NULL;
CREATE INDEX done_tasks_by_group ON tasks (job, group_key, exact) WHERE state = 'done';
CREATE INDEX open_tasks_by_pattern ON tasks (job, pattern) WHERE state IN ('waiting', 'paused', 'spare') AND pattern <> '';
CREATE INDEX texts_by_pattern ON tasks (job, pattern, ended_at) WHERE exact IS NOT NULL AND pattern <> '';
-- They run again when a crawl is extended.
CREATE INDEX kick_off_tasks ON tasks (job) WHERE kind = 'kick-off';
-- The pages of a job in the order in which they ended. Host and state are in it, so that they are counted without the rows.
CREATE INDEX ended_pages ON tasks (job, ended_at, id) INCLUDE (host, state)
  WHERE kind = 'page' AND state IN ('done', 'failed', 'blocked');

-- Patterns of URLs with pages that brought nothing new, so many in a row.
CREATE TABLE job_patterns (
  job bigint NOT NULL REFERENCES jobs,
  pattern text COLLATE "C" NOT NULL,
  barren bigint NOT NULL,
  closed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (job, pattern)
);

CREATE TABLE scrapes (
  id text COLLATE "C" PRIMARY KEY,
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  url text NOT NULL,
  own_content text, -- JSON of what only this scrape has
  metadata text NOT NULL, -- JSON
  warning text,
  result_id bigint NOT NULL REFERENCES results,
  created_at bigint NOT NULL,
  -- Of a scrape for itself:
  options text, -- sealed
  expires_at bigint,
  -- Of a page of a job, which has the options and the expiry for all of them:
  job bigint REFERENCES jobs,
  position integer,
  CHECK ((job IS NULL) = (options IS NOT NULL AND expires_at IS NOT NULL)),
  CHECK ((job IS NULL) = (position IS NULL))
);
CREATE INDEX scrapes_by_expiry ON scrapes (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX scrapes_by_result ON scrapes (result_id);
CREATE UNIQUE INDEX scrapes_by_job ON scrapes (job, position) WHERE job IS NOT NULL;

-- The process that sends requests to a host, and what it remembers of the host: the next owner goes on with that.
CREATE TABLE host_owners (
  host text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C", -- null: given back
  lease_until bigint NOT NULL,
  memory text NOT NULL
) WITH (fillfactor = 70);

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

-- What all processes count together: rates, credits that are set aside, what teams run at once, and locks of profiles. What a
-- process holds goes with its row in `processes`.

-- Tokens that were taken and are not refilled yet. After a crash of the database all buckets are full again, which is little
-- harm, so they are not written to its log. No index on `at`: it would make every update change an index, too.
CREATE UNLOGGED TABLE token_buckets (
  name text COLLATE "C" PRIMARY KEY,
  used double precision NOT NULL,
  at bigint NOT NULL, -- when `used` was right
  refill_ms bigint NOT NULL -- an empty bucket is full again after this time
) WITH (fillfactor = 50);

-- The credits of the ledger by month, changed together with the hourly totals.
CREATE TABLE monthly_usage (
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  month bigint NOT NULL, -- the time at which the month began
  key text COLLATE "C" NOT NULL, -- empty without a key
  credits bigint NOT NULL,
  PRIMARY KEY (team_id, month, key)
);
CREATE INDEX monthly_usage_by_month ON monthly_usage (month);

-- Credits that running work has set aside. They do not count any more when their process is dead.
CREATE TABLE credit_holds (
  id text COLLATE "C" PRIMARY KEY,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  team_id text COLLATE "C" NOT NULL,
  key text COLLATE "C",
  work text COLLATE "C", -- the job whose pages it is for
  credits double precision NOT NULL
);
CREATE INDEX credit_holds_by_team ON credit_holds (team_id);
CREATE INDEX credit_holds_by_process ON credit_holds (process_id);
CREATE INDEX credit_holds_by_work ON credit_holds (work) WHERE work IS NOT NULL;

-- How many slots of a team each process may use, and how many it could use.
CREATE TABLE team_permits (
  team_id text COLLATE "C" NOT NULL,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  permits integer NOT NULL,
  wanted integer NOT NULL,
  PRIMARY KEY (team_id, process_id)
);
CREATE INDEX team_permits_by_process ON team_permits (process_id);

-- Who may save a browser profile.
CREATE TABLE profile_locks (
  team_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL UNIQUE,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  PRIMARY KEY (team_id, name)
);
CREATE INDEX profile_locks_by_process ON profile_locks (process_id);

-- Logins of the command line that a person has approved, until the program fetches its key.
CREATE TABLE login_approvals (
  id text COLLATE "C" PRIMARY KEY, -- a hash
  approval text NOT NULL, -- JSON
  expires_at bigint NOT NULL
);
CREATE INDEX login_approvals_by_end ON login_approvals (expires_at);

-- How busy each team is in each process, so that any of them can tell how busy it is in all. It is written again every few
-- seconds, so it is not in the log of the database.
CREATE UNLOGGED TABLE team_loads (
  team_id text COLLATE "C" NOT NULL,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  active integer NOT NULL,
  waiting integer NOT NULL,
  PRIMARY KEY (team_id, process_id)
) WITH (fillfactor = 50);
CREATE INDEX team_loads_by_process ON team_loads (process_id);

-- works-from: 4
-- Jobs with their tasks, the idempotency keys of the last day, and which process owns which host.
-- Times are milliseconds since 1970.

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

-- The pages of a job that were read.
ALTER TABLE scrapes ADD FOREIGN KEY (job) REFERENCES jobs;

-- The process that sends requests to a host, and what it remembers of the host: the next owner goes on with that.
CREATE TABLE host_owners (
  host text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C", -- null: given back
  lease_until bigint NOT NULL,
  memory text NOT NULL
) WITH (fillfactor = 70);

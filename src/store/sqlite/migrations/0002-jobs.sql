-- Jobs with their tasks, results and webhook calls; what a map wants to know of cached pages.

-- Results have another form from here on: those of before go, and with them the scrapes of the last day.
DROP TABLE scrapes;
UPDATE pages SET size = size - coalesce((SELECT sum(size) FROM results WHERE page_id = pages.id), 0);
DROP TABLE results;
DELETE FROM bodies WHERE id NOT IN (SELECT body_id FROM pages);

-- The labels of the host from the last to the first, each with a dot ('test.site.www.'): a host and all hosts below it
-- are one range. Null for what is no real page (an error, a login wall) and for pages of before.
ALTER TABLE pages ADD COLUMN site TEXT;
ALTER TABLE pages ADD COLUMN title TEXT;
ALTER TABLE pages ADD COLUMN description TEXT;
CREATE INDEX pages_by_site ON pages (site, url, fetched_at) WHERE site IS NOT NULL;

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
  expires_at INTEGER NOT NULL -- counts once it has ended
) STRICT;

CREATE INDEX unfinished_jobs ON jobs (team_id, created_at) WHERE status = 'scraping';
CREATE INDEX finished_jobs_by_expiry ON jobs (expires_at) WHERE status <> 'scraping';
CREATE INDEX jobs_with_leftovers ON jobs (number) WHERE has_leftovers = 1;

-- What never changes of a job, apart from its counters: those are written with every page, and this may be large.
CREATE TABLE job_requests (
  job INTEGER PRIMARY KEY REFERENCES jobs (number),
  url TEXT NOT NULL,
  options TEXT NOT NULL, -- JSON
  webhook TEXT -- JSON
) STRICT;

CREATE TABLE job_keys (
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_keys_by_age ON job_keys (created_at);

-- States: waiting, running, paused (waiting until due_at), spare (waits for the place of another page), done,
-- duplicate (another task is the same page, or its pattern was closed), failed, blocked (by robots.txt),
-- refused (out of scope, only listed).
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

-- Patterns of addresses with pages that brought nothing new, so many in a row.
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
  options TEXT, -- JSON
  expires_at INTEGER,
  -- Of a page of a job, which has the options and the expiry for all of them:
  job INTEGER REFERENCES jobs (number),
  position INTEGER,
  CHECK ((job IS NULL) = (options IS NOT NULL AND expires_at IS NOT NULL)),
  CHECK ((job IS NULL) = (position IS NULL))
) STRICT;

CREATE INDEX scrapes_by_expiry ON scrapes (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX scrapes_by_result ON scrapes (result_id);
CREATE UNIQUE INDEX scrapes_by_job ON scrapes (job, position) WHERE job IS NOT NULL;

-- Webhook calls that are still to be made; of each job the oldest first. Their bodies are written when they are sent.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job INTEGER NOT NULL REFERENCES jobs (number),
  webhook_id TEXT NOT NULL,
  event TEXT NOT NULL,
  task INTEGER, -- of a page event
  next_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX deliveries_by_job ON deliveries (job, id);

-- What the console needs: its sessions, lists of jobs, stored pages with their versions, and a record of webhook calls.

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

-- Lists of jobs and runs, newest first, and what a job shows while it runs.

-- Jobs that a run has started are a part of the run.
CREATE INDEX jobs_by_age ON jobs (team_id, created_at, id) WHERE run_id IS NULL;
CREATE INDEX runs_by_age ON runs (team_id, created_at, id);
-- The pages of a job in the order in which they ended. Host and state are in it, so that they are counted without the rows.
CREATE INDEX ended_pages ON tasks (job, ended_at, id, host, state) WHERE kind = 'page' AND state IN ('done', 'failed', 'blocked');

-- What callers see of the index: hosts with their pages, pages with what is stored of them, and the versions of tracked pages.

-- Where a URL led, if that is elsewhere. A page is listed and deleted under the URL at which it was found.
-- index_name(URL) and host_of(URL) are functions of the store.
ALTER TABLE pages ADD COLUMN final_url TEXT;
UPDATE pages SET final_url = index_name(header ->> 'finalUrl') WHERE header ->> 'finalUrl' <> url;
UPDATE pages SET final_url = NULL WHERE final_url = url;

-- The URLs of an owner are read in their order: those of a host are a range.
DROP INDEX pages_by_url;
CREATE INDEX pages_by_url ON pages (owner, url, final_url);
CREATE INDEX pages_by_final_url ON pages (owner, final_url) WHERE final_url IS NOT NULL;

CREATE TABLE ordered_entries (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  url TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  body_id INTEGER REFERENCES bodies (id),
  rank INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  verified INTEGER NOT NULL DEFAULT 0,
  UNIQUE (owner, url)
) STRICT;
INSERT INTO ordered_entries (change, owner, url, first_seen_at, body_id, rank, fetched_at, verified)
  SELECT change, owner, url, first_seen_at, body_id, rank, fetched_at, verified FROM index_entries;
-- Numbers are never given out twice, not even those of rows that are gone.
DELETE FROM sqlite_sequence WHERE name = 'ordered_entries';
INSERT INTO sqlite_sequence (name, seq) SELECT 'ordered_entries', seq FROM sqlite_sequence WHERE name = 'index_entries';
DROP TABLE index_entries;
ALTER TABLE ordered_entries RENAME TO index_entries;
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

-- The versions of a tracked page are rows of their own; the newest one with a body is what the next look is compared with.
CREATE TABLE histories (
  key TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  url TEXT NOT NULL,
  tag TEXT, -- null without one, and for histories of before until the next look
  redacted INTEGER NOT NULL,
  crawl TEXT -- the crawls that know the page: a hash of their start and tag; null after a single scrape, or if it is gone
) STRICT, WITHOUT ROWID;
INSERT INTO histories (key, team_id, url, redacted, crawl) SELECT key, team_id, url, 0, crawl FROM page_history;

CREATE TABLE page_versions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  history TEXT NOT NULL REFERENCES histories (key),
  status TEXT NOT NULL, -- new, same (it had been gone), changed or removed
  at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL, -- the last look that found it like this
  body_id INTEGER REFERENCES bodies (id), -- null if the page was gone
  size INTEGER NOT NULL
) STRICT;
INSERT INTO page_versions (history, status, at, seen_at, body_id, size)
  SELECT key, 'new', seen_at, seen_at, body_id, coalesce(length(bytes), 0) FROM page_history JOIN bodies ON id = body_id;
DROP TABLE page_history;
ALTER TABLE histories RENAME TO page_history;

CREATE INDEX page_versions_by_history ON page_versions (history, number);
CREATE INDEX page_versions_by_body ON page_versions (body_id) WHERE body_id IS NOT NULL;
CREATE INDEX page_history_by_crawl ON page_history (crawl, url) WHERE crawl IS NOT NULL;
CREATE INDEX page_history_by_team ON page_history (team_id, url);

INSERT INTO stored_hosts (owner, name, host, pages, tracked, bytes, newest_at)
  SELECT owner, iif(host LIKE 'www.%', substr(host, 5), host), host, sum(pages), sum(tracked), sum(bytes), max(at) FROM (
    SELECT owner, host_of(url) AS host, 1 AS pages, 0 AS tracked, 0 AS bytes, fetched_at AS at
      FROM index_entries WHERE body_id IS NOT NULL
    UNION ALL SELECT owner, host_of(coalesce(final_url, url)), 0, 0, size, fetched_at FROM pages
    UNION ALL SELECT team_id, host_of(url), 0, 1, 0, seen_at FROM page_history JOIN page_versions ON history = key
  ) GROUP BY owner, host;

-- Webhook calls stay after they were made: what was sent where, whether it arrived, and what is needed to send it again.

-- The numbers of jobs and runs are no references: the record of a call outlives them. They are never used again.
CREATE TABLE new_deliveries (
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

INSERT INTO new_deliveries (id, team_id, job, run, webhook_id, event, task, content, next_at, attempts, created_at)
  SELECT deliveries.id, coalesce(jobs.team_id, runs.team_id), job, run, webhook_id, event, task, content, next_at, attempts,
    coalesce(jobs.created_at, runs.created_at)
  FROM deliveries LEFT JOIN jobs ON jobs.number = job LEFT JOIN runs ON runs.number = run;
DROP TABLE deliveries;
ALTER TABLE new_deliveries RENAME TO deliveries;

CREATE INDEX waiting_deliveries_by_job ON deliveries (job, id) WHERE status = 'waiting' AND job IS NOT NULL;
CREATE INDEX waiting_deliveries_by_run ON deliveries (run, id) WHERE status = 'waiting' AND run IS NOT NULL;
CREATE INDEX deliveries_by_team ON deliveries (team_id, status, id);
CREATE INDEX deliveries_with_content ON deliveries (run) WHERE content IS NOT NULL;
CREATE INDEX deliveries_by_task ON deliveries (task) WHERE task IS NOT NULL;

-- The last version of pages whose changes are tracked. There is one row for each team, URL, tag and way of redacting, which
-- `key` is the hash of. Rows stay until the team is gone.

CREATE TABLE page_history (
  key TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  url TEXT NOT NULL,
  crawl TEXT, -- the crawls that know the page: a hash of their start and tag; null after a single scrape, or if it is gone
  seen_at INTEGER NOT NULL,
  body_id INTEGER NOT NULL REFERENCES bodies (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_history_by_body ON page_history (body_id);
CREATE INDEX page_history_by_crawl ON page_history (crawl, url) WHERE crawl IS NOT NULL;
CREATE INDEX page_history_by_team ON page_history (team_id);

-- A task in the new state `known` is a page that an earlier crawl has found. It waits until nothing else is left to read. If
-- a link leads to it before, it becomes an ordinary task; if not, it is read as a page that nothing links to.
ALTER TABLE tasks ADD COLUMN unlinked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN known INTEGER NOT NULL DEFAULT 0; -- tasks in that state
CREATE INDEX known_tasks ON tasks (job, id) WHERE state = 'known';

-- Programs that select values from pages of one template, for the format deterministicJson.
CREATE TABLE programs (
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX programs_by_use ON programs (team_id, used_at);

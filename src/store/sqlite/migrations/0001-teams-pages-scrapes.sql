-- Teams with their keys and usage, the page cache, and the scrapes of the last day.
-- Times are milliseconds since 1970.

CREATE TABLE teams (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_success_at INTEGER
) STRICT;

CREATE TABLE keys (
  hash TEXT PRIMARY KEY,
  prefix TEXT NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
  team_id TEXT NOT NULL REFERENCES teams (id),
  hour INTEGER NOT NULL, -- the time at which the hour began
  credits INTEGER NOT NULL,
  PRIMARY KEY (team_id, hour)
) STRICT, WITHOUT ROWID;

-- Compressed bytes of a page or a result: in the row, or in the blob of that name. Apart from the tables that
-- point here, so that those stay small enough to be scanned.
CREATE TABLE bodies (
  id INTEGER PRIMARY KEY,
  blob TEXT UNIQUE,
  bytes BLOB,
  CHECK ((blob IS NULL) <> (bytes IS NULL))
) STRICT;

CREATE TABLE pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL,
  url TEXT NOT NULL,
  header TEXT NOT NULL, -- JSON
  body_id INTEGER NOT NULL REFERENCES bodies (id),
  size INTEGER NOT NULL, -- of the page and of the results made from it: what its eviction frees
  fetched_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER -- null: kept until it is evicted
) STRICT;

CREATE INDEX pages_by_key ON pages (key, fetched_at);
CREATE INDEX pages_by_url ON pages (url);
CREATE INDEX pages_by_body ON pages (body_id);
CREATE INDEX pages_by_expiry ON pages (expires_at) WHERE expires_at IS NOT NULL;
-- Holds the size too, so that the sum at the start reads this index and nothing else.
CREATE INDEX pages_by_use ON pages (used_at, size);

CREATE TABLE results (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  page_id INTEGER REFERENCES pages (id) ON DELETE SET NULL,
  transform_key TEXT NOT NULL,
  body_id INTEGER NOT NULL REFERENCES bodies (id),
  size INTEGER NOT NULL,
  keep_until INTEGER NOT NULL -- a result without a page goes then: when its last scrape expires
) STRICT;

CREATE INDEX results_by_page ON results (page_id, transform_key) WHERE page_id IS NOT NULL;
CREATE INDEX results_by_body ON results (body_id);
CREATE INDEX loose_results_by_end ON results (keep_until) WHERE page_id IS NULL;

CREATE TABLE scrapes (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  url TEXT NOT NULL,
  options TEXT NOT NULL, -- JSON
  metadata TEXT NOT NULL, -- JSON
  warning TEXT,
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX scrapes_by_expiry ON scrapes (expires_at);
CREATE INDEX scrapes_by_result ON scrapes (result_id);

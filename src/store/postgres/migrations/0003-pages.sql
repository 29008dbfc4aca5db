-- works-from: 3
-- The page cache, results, scrapes, histories, entries of the index, files, profiles and uploads.
-- Bodies are compressed bytes: small ones in the row (bytes), large ones in the blob store (blob is their name).
-- Times are milliseconds since 1970.

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
  job bigint,
  position integer,
  CHECK ((job IS NULL) = (options IS NOT NULL AND expires_at IS NOT NULL)),
  CHECK ((job IS NULL) = (position IS NULL))
);
CREATE INDEX scrapes_by_expiry ON scrapes (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX scrapes_by_result ON scrapes (result_id);
CREATE UNIQUE INDEX scrapes_by_job ON scrapes (job, position) WHERE job IS NOT NULL;

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

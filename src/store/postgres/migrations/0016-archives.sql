-- Archives: what was received for a scrape or a job, or was uploaded.
CREATE TABLE archives (
  id text COLLATE "C" PRIMARY KEY, -- of the scrape or job
  team_id text COLLATE "C" NOT NULL REFERENCES teams (id),
  kind text NOT NULL,
  name text NOT NULL, -- the file that was uploaded, or the URL
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL, -- that of a job stays as long as its job
  warnings text NOT NULL, -- JSON
  key_domains text -- JSON: those that the key was restricted to; null if it was not
);
CREATE INDEX archives_by_team ON archives (team_id, id);
CREATE INDEX archives_by_expiry ON archives (expires_at);
CREATE INDEX archives_by_age ON archives (created_at, id);

-- The payloads of a team, each once.
CREATE TABLE archive_bodies (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id text COLLATE "C" NOT NULL REFERENCES teams (id),
  digest text COLLATE "C" NOT NULL, -- SHA-256
  size bigint NOT NULL,
  blob text COLLATE "C",
  bytes bytea,
  CHECK ((blob IS NULL) <> (bytes IS NULL)),
  UNIQUE (team_id, digest)
);
CREATE INDEX archive_bodies_by_size ON archive_bodies (size); -- for their sum
ALTER TABLE archive_bodies ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE archive_records (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  archive_id text COLLATE "C" NOT NULL REFERENCES archives (id),
  part text COLLATE "C" NOT NULL, -- the page that it was received for: replaced as a whole if that is read again after a kill
  url text COLLATE "C" NOT NULL,
  url_hash text COLLATE "C" NOT NULL,
  url_key text COLLATE "C" NOT NULL, -- in the order of an index of an archive
  method text NOT NULL,
  at bigint NOT NULL,
  status integer NOT NULL,
  type text NOT NULL,
  page text, -- the title, if it is a page and not a part of one
  request bytea NOT NULL, -- the head
  response bytea NOT NULL, -- the head
  archive_body bigint REFERENCES archive_bodies (id), -- null if it was removed
  digest text COLLATE "C" NOT NULL,
  truncated boolean NOT NULL
);
CREATE INDEX archive_records_by_part ON archive_records (archive_id, part);
CREATE INDEX archive_records_by_url ON archive_records (archive_id, url_hash, at, id);
CREATE INDEX archive_records_by_body ON archive_records (archive_body, archive_id, id) WHERE archive_body IS NOT NULL;

CREATE OR REPLACE VIEW named_blobs AS
  SELECT blob AS name FROM pages WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM results WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM index_entries WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM page_versions WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM files WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM profiles WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM uploads WHERE blob IS NOT NULL
  UNION ALL SELECT blob FROM archive_bodies WHERE blob IS NOT NULL;

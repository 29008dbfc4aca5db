-- Collections: lasting sets of pages, with a feed of what has changed. A run of one is a row of runs whose group is
-- the collection. The content of a member is a scrape that does not expire, so its body is stored once, like that of any page.
CREATE TABLE collections (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  team_id text COLLATE "C" NOT NULL REFERENCES teams (id),
  name text COLLATE "C" NOT NULL,
  key text, -- prefix of the API key that pays
  is_deleted boolean NOT NULL DEFAULT false, -- true: until nothing refers to it
  definition text NOT NULL, -- sealed
  keep_ms bigint NOT NULL, -- how long deletions are known
  next_run_at bigint, -- null without a schedule
  last_run_at bigint,
  last_change bigint NOT NULL DEFAULT 0, -- the number of its newest change
  forgotten bigint NOT NULL DEFAULT 0, -- deletions up to this change may be gone
  pages bigint NOT NULL DEFAULT 0, -- members that are there
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
) WITH (fillfactor = 70);

CREATE UNIQUE INDEX collections_by_name ON collections (team_id, name) WHERE NOT is_deleted;
CREATE INDEX collections_by_next_run ON collections (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX deleted_collections ON collections (number) WHERE is_deleted;

-- The last that is known of each page. States: waiting (added, and never read), present, gone (deleted; kept until everybody
-- should have heard of it). Each change gives it the next number of its collection, so the feed has each page once.
CREATE TABLE collection_members (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  collection bigint NOT NULL REFERENCES collections (number),
  team_id text COLLATE "C" NOT NULL REFERENCES teams (id),
  target_id text COLLATE "C" NOT NULL, -- the target that reached it last; 'pages': it was added by itself
  url text COLLATE "C" NOT NULL,
  final_url text COLLATE "C", -- where it was found, if that is elsewhere
  state text NOT NULL,
  change bigint, -- null until it was read; a page that waits again has that of its deletion
  changed_at bigint,
  hash text, -- of its text
  chunk_ids text, -- JSON
  scrape_id text COLLATE "C", -- its content, while it is present
  seen_run bigint, -- the number of the last run that reached it
  gone_run bigint, -- the number of the last run that was told that it does not exist
  problem_run bigint, -- the number of the last run that reached it and could not read it
  problem text,
  forget_at bigint -- of a deletion
) WITH (fillfactor = 80);

CREATE UNIQUE INDEX members_by_url ON collection_members (collection, url_key(url));
CREATE INDEX members_by_final_url ON collection_members (team_id, url_key(final_url)) WHERE final_url IS NOT NULL;
CREATE INDEX members_of_team ON collection_members (team_id, url_key(url));
CREATE UNIQUE INDEX members_by_change ON collection_members (collection, change) WHERE change IS NOT NULL;
CREATE INDEX members_by_sight ON collection_members (collection, target_id, seen_run) WHERE state = 'present';
CREATE INDEX members_said_gone ON collection_members (collection, gone_run) WHERE state = 'present' AND gone_run IS NOT NULL;
CREATE INDEX members_with_problem ON collection_members (collection, problem_run) WHERE problem_run IS NOT NULL;
CREATE INDEX added_members ON collection_members (collection, number) WHERE target_id = 'pages' AND state <> 'gone';
CREATE INDEX waiting_members ON collection_members (collection, number) WHERE state = 'waiting';
CREATE INDEX gone_members ON collection_members (forget_at) WHERE forget_at IS NOT NULL;

-- Collections: lasting sets of pages, with a feed of what has changed. A run of one is a row of runs whose group is
-- the collection. The content of a member is a scrape that does not expire, so its body is stored once, like that of any page.
CREATE TABLE collections (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  key TEXT, -- prefix of the API key that pays
  is_deleted INTEGER NOT NULL DEFAULT 0, -- 1: until nothing refers to it
  definition TEXT NOT NULL, -- sealed
  keep_ms INTEGER NOT NULL, -- how long deletions are known
  next_run_at INTEGER, -- null without a schedule
  last_run_at INTEGER,
  last_change INTEGER NOT NULL DEFAULT 0, -- the number of its newest change
  forgotten INTEGER NOT NULL DEFAULT 0, -- deletions up to this change may be gone
  pages INTEGER NOT NULL DEFAULT 0, -- members that are there
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX collections_by_name ON collections (team_id, name) WHERE NOT is_deleted;
CREATE INDEX collections_by_next_run ON collections (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX deleted_collections ON collections (number) WHERE is_deleted;

-- The last that is known of each page. States: waiting (added, and never read), present, gone (deleted; kept until everybody
-- should have heard of it). Each change gives it the next number of its collection, so the feed has each page once.
CREATE TABLE collection_members (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collections (number),
  team_id TEXT NOT NULL REFERENCES teams (id),
  target_id TEXT NOT NULL, -- the target that reached it last; 'pages': it was added by itself
  url TEXT NOT NULL,
  final_url TEXT, -- where it was found, if that is elsewhere
  state TEXT NOT NULL,
  change INTEGER, -- null until it was read; a page that waits again has that of its deletion
  changed_at INTEGER,
  hash TEXT, -- of its text
  chunk_ids TEXT, -- JSON
  scrape_id TEXT, -- its content, while it is present
  seen_run INTEGER, -- the number of the last run that reached it
  gone_run INTEGER, -- the number of the last run that was told that it does not exist
  problem_run INTEGER, -- the number of the last run that reached it and could not read it
  problem TEXT,
  forget_at INTEGER -- of a deletion
) STRICT;

CREATE UNIQUE INDEX members_by_url ON collection_members (collection, url);
CREATE INDEX members_by_final_url ON collection_members (team_id, final_url) WHERE final_url IS NOT NULL;
CREATE INDEX members_of_team ON collection_members (team_id, url);
CREATE UNIQUE INDEX members_by_change ON collection_members (collection, change) WHERE change IS NOT NULL;
CREATE INDEX members_by_sight ON collection_members (collection, target_id, seen_run) WHERE state = 'present';
CREATE INDEX members_said_gone ON collection_members (collection, gone_run) WHERE state = 'present' AND gone_run IS NOT NULL;
CREATE INDEX members_with_problem ON collection_members (collection, problem_run) WHERE problem_run IS NOT NULL;
CREATE INDEX added_members ON collection_members (collection, number) WHERE target_id = 'pages' AND state <> 'gone';
CREATE INDEX waiting_members ON collection_members (collection, number) WHERE state = 'waiting';
CREATE INDEX gone_members ON collection_members (forget_at) WHERE forget_at IS NOT NULL;

-- What the pages of a site have in common.
CREATE TABLE site_memories (
  owner TEXT NOT NULL, -- as in pages
  site TEXT NOT NULL,
  memory BLOB NOT NULL, -- src/page/site-memory.ts
  learnt_at INTEGER NOT NULL,
  PRIMARY KEY (owner, site)
) STRICT;
CREATE INDEX site_memories_by_time ON site_memories (learnt_at);

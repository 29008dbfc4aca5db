-- What the pages of a site have in common.
CREATE TABLE site_memories (
  owner text COLLATE "C" NOT NULL, -- as in pages
  site text COLLATE "C" NOT NULL,
  memory bytea NOT NULL, -- src/page/site-memory.ts
  learnt_at bigint NOT NULL,
  PRIMARY KEY (owner, site)
);
CREATE INDEX site_memories_by_time ON site_memories (learnt_at);

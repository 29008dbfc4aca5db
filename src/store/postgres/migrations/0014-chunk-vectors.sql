-- The vectors of the chunks of pages.
CREATE TABLE chunk_vectors (
  team_id text COLLATE "C" NOT NULL REFERENCES teams (id),
  key text COLLATE "C" NOT NULL,
  vectors bytea NOT NULL, -- src/understand/chunks/vector-bytes.ts
  used_at bigint NOT NULL,
  PRIMARY KEY (team_id, key)
);
CREATE INDEX chunk_vectors_by_use ON chunk_vectors (used_at);

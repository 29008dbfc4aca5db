-- The vectors of the chunks of pages.
CREATE TABLE chunk_vectors (
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT NOT NULL,
  vectors BLOB NOT NULL, -- src/understand/chunks/vector-bytes.ts
  used_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, key)
) STRICT;
CREATE INDEX chunk_vectors_by_use ON chunk_vectors (used_at);

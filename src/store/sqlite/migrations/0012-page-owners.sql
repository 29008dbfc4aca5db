-- Who may see a page: '*' is everyone, '' are the teams that share, anything else is the id of one team. What was stored
-- before was shared. The manual is for everyone.

ALTER TABLE pages ADD COLUMN owner TEXT NOT NULL DEFAULT '';

CREATE TABLE owned_entries (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  url TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  body_id INTEGER REFERENCES bodies (id),
  rank INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  UNIQUE (url, owner)
) STRICT;
INSERT INTO owned_entries (change, owner, url, first_seen_at, body_id, rank, fetched_at)
  SELECT change, '', url, first_seen_at, body_id, rank, fetched_at FROM index_entries;
-- Numbers are never given out twice, not even those of rows that are gone.
DELETE FROM sqlite_sequence WHERE name = 'owned_entries';
INSERT INTO sqlite_sequence (name, seq) SELECT 'owned_entries', seq FROM sqlite_sequence WHERE name = 'index_entries';
DROP TABLE index_entries;
ALTER TABLE owned_entries RENAME TO index_entries;
CREATE INDEX index_entries_by_body ON index_entries (body_id) WHERE body_id IS NOT NULL;
CREATE INDEX forgotten_entries ON index_entries (change) WHERE body_id IS NULL;

UPDATE pages SET owner = '*'
  WHERE url IN (SELECT key FROM notes, json_each(notes.value) WHERE notes.name = 'manual in the index');
UPDATE index_entries SET owner = '*'
  WHERE url IN (SELECT key FROM notes, json_each(notes.value) WHERE notes.name = 'manual in the index');

-- The pages of a site are listed from this index alone, so it has to know the owner.
DROP INDEX pages_by_site;
CREATE INDEX pages_by_site ON pages (site, url, fetched_at, owner) WHERE site IS NOT NULL;

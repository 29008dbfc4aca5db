-- What tells the variants of a page apart. Pages from before have no variant, and whether their certificates were
-- verified is unknown.

ALTER TABLE pages ADD COLUMN variant TEXT; -- JSON
ALTER TABLE pages ADD COLUMN verified INTEGER NOT NULL DEFAULT 0;

-- Which variant an entry of the index was made from: 0 is the best.
ALTER TABLE index_entries ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
ALTER TABLE index_entries ADD COLUMN fetched_at INTEGER NOT NULL DEFAULT 0;

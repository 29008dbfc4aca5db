-- The same columns as in PostgreSQL, where the same transactions run.

-- A webhook call or a mail that is being sent is leased, as runs and tasks are.
ALTER TABLE deliveries ADD COLUMN owner TEXT;
ALTER TABLE deliveries ADD COLUMN lease_until INTEGER;
CREATE INDEX leased_deliveries ON deliveries (lease_until) WHERE status = 'waiting' AND lease_until IS NOT NULL;
ALTER TABLE mails ADD COLUMN owner TEXT;
ALTER TABLE mails ADD COLUMN lease_until INTEGER;

ALTER TABLE requests RENAME COLUMN ratable TO is_ratable;

-- If the key is shortened: an entry of an index of PostgreSQL has at most 2,704 bytes.
ALTER TABLE tasks ADD COLUMN full_key TEXT;

-- Here, a charge is added to the totals and to the last success of its team at once.
ALTER TABLE ledger ADD COLUMN succeeded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN is_counted INTEGER NOT NULL DEFAULT 1;
CREATE INDEX uncounted_entries ON ledger (team_id, id) WHERE NOT is_counted;
CREATE INDEX usage_by_hour ON usage (hour);

DROP INDEX unwatched_pages;
CREATE INDEX unwatched_pages ON watched_pages (number) WHERE is_unwatched;

-- Those of the header; null in pages from before.
ALTER TABLE pages ADD COLUMN status INTEGER;
ALTER TABLE pages ADD COLUMN content_type TEXT;

-- Of the text; null in versions from before.
ALTER TABLE page_versions ADD COLUMN hash TEXT;

-- The condition as the same statement states it.
DROP INDEX jobs_with_leftovers;
CREATE INDEX jobs_with_leftovers ON jobs (number) WHERE has_leftovers;

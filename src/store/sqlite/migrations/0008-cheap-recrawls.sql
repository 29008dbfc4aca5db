-- What a second crawl of a site can save.

-- When the page was last known to be as it is here: a site may confirm a page instead of sending it again.
ALTER TABLE pages ADD COLUMN checked_at INTEGER NOT NULL DEFAULT 0;
UPDATE pages SET checked_at = fetched_at;

-- The latest time at which the page can have changed, if a sitemap says so.
ALTER TABLE tasks ADD COLUMN last_modified INTEGER;

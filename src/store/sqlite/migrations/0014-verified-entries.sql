-- Whether the page of an index entry was fetched without an invalid certificate. Its rank says so since ranks exist; about
-- older entries it is unknown. An unverified page never replaces a verified one.

ALTER TABLE index_entries ADD COLUMN verified INTEGER NOT NULL DEFAULT 0;
UPDATE index_entries SET verified = 1 WHERE rank < 4 AND fetched_at > 0;

-- Pages that were shared although their addresses carry credentials: they belong to the only team, or to nobody ('?') where
-- it is unknown which of several teams fetched them. carries_secret(URL) is a function of the store.
CREATE TEMP TABLE heir AS SELECT iif(count(*) = 1, max(id), '?') AS owner FROM teams;
UPDATE pages SET owner = (SELECT owner FROM heir)
  WHERE owner = '' AND (carries_secret(url) OR carries_secret(header ->> 'finalUrl'));
UPDATE OR IGNORE index_entries SET owner = (SELECT owner FROM heir) WHERE owner = '' AND carries_secret(url);
DROP TABLE heir;

-- Whether the page of an index entry was fetched without an invalid certificate. Its rank says so since ranks exist; about
-- older entries it is unknown. An unverified page never replaces a verified one.

ALTER TABLE index_entries ADD COLUMN verified INTEGER NOT NULL DEFAULT 0;
UPDATE index_entries SET verified = 1 WHERE rank < 4 AND fetched_at > 0;

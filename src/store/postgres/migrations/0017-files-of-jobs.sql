-- How long the results of a job are kept; null: as long as others.
ALTER TABLE jobs ADD COLUMN retention_ms bigint;
-- What the contents of its documents take, as they are stored.
ALTER TABLE jobs ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0;
-- The job whose documents a file holds.
ALTER TABLE files ADD COLUMN job_id text COLLATE "C";
CREATE INDEX files_of_jobs ON files (job_id) WHERE job_id IS NOT NULL;

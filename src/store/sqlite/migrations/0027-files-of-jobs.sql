-- How long the results of a job are kept; null: as long as others.
ALTER TABLE jobs ADD COLUMN retention_ms INTEGER;
-- The job whose documents a file holds.
ALTER TABLE files ADD COLUMN job_id TEXT;
CREATE INDEX files_of_jobs ON files (job_id) WHERE job_id IS NOT NULL;

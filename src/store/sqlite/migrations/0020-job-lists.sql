-- Lists of jobs and runs, newest first, and what a job shows while it runs.

-- Jobs that a run has started are a part of the run.
CREATE INDEX jobs_by_age ON jobs (team_id, created_at, id) WHERE run_id IS NULL;
CREATE INDEX runs_by_age ON runs (team_id, created_at, id);
-- The pages of a job in the order in which they ended. Host and state are in it, so that they are counted without the rows.
CREATE INDEX ended_pages ON tasks (job, ended_at, id, host, state) WHERE kind = 'page' AND state IN ('done', 'failed', 'blocked');

-- Jobs that a run has started: the run is billed for their pages.

ALTER TABLE jobs ADD COLUMN run_id TEXT;

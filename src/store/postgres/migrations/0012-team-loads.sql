-- works-from: 9
-- How busy each team is in each process, so that any of them can tell how busy it is in all. It is written again every few
-- seconds, so it is not in the log of the database.
CREATE UNLOGGED TABLE team_loads (
  team_id text COLLATE "C" NOT NULL,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  active integer NOT NULL,
  waiting integer NOT NULL,
  PRIMARY KEY (team_id, process_id)
) WITH (fillfactor = 50);
CREATE INDEX team_loads_by_process ON team_loads (process_id);

-- How much a process runs at once for one team. 0 in processes of older versions, which do not say it.
ALTER TABLE processes ADD COLUMN max_concurrency integer NOT NULL DEFAULT 0;

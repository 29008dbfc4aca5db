-- works-from: 7
-- What all processes count together: rates, credits that are set aside, what teams run at once, and locks of profiles. What a
-- process holds goes with its row in `processes`.

-- Tokens that were taken and are not refilled yet. After a crash of the database all buckets are full again, which is little
-- harm, so they are not written to its log. No index on `at`: it would make every update change an index, too.
CREATE UNLOGGED TABLE token_buckets (
  name text COLLATE "C" PRIMARY KEY,
  used double precision NOT NULL,
  at bigint NOT NULL, -- when `used` was right
  refill_ms bigint NOT NULL -- an empty bucket is full again after this time
) WITH (fillfactor = 50);

-- The credits of the ledger by month, changed together with the hourly totals.
CREATE TABLE monthly_usage (
  team_id text COLLATE "C" NOT NULL REFERENCES teams,
  month bigint NOT NULL, -- the time at which the month began
  key text COLLATE "C" NOT NULL, -- empty without a key
  credits bigint NOT NULL,
  PRIMARY KEY (team_id, month, key)
);
CREATE INDEX monthly_usage_by_month ON monthly_usage (month);

-- Credits that running work has set aside. They do not count any more when their process is dead.
CREATE TABLE credit_holds (
  id text COLLATE "C" PRIMARY KEY,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  team_id text COLLATE "C" NOT NULL,
  key text COLLATE "C",
  work text COLLATE "C", -- the job whose pages it is for
  credits double precision NOT NULL
);
CREATE INDEX credit_holds_by_team ON credit_holds (team_id);
CREATE INDEX credit_holds_by_process ON credit_holds (process_id);
CREATE INDEX credit_holds_by_work ON credit_holds (work) WHERE work IS NOT NULL;

-- How many slots of a team each process may use, and how many it could use.
CREATE TABLE team_permits (
  team_id text COLLATE "C" NOT NULL,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  permits integer NOT NULL,
  wanted integer NOT NULL,
  PRIMARY KEY (team_id, process_id)
);
CREATE INDEX team_permits_by_process ON team_permits (process_id);

-- Who may save a browser profile.
CREATE TABLE profile_locks (
  team_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL UNIQUE,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  PRIMARY KEY (team_id, name)
);
CREATE INDEX profile_locks_by_process ON profile_locks (process_id);

-- Logins of the command line that a person has approved, until the program fetches its key.
CREATE TABLE login_approvals (
  id text COLLATE "C" PRIMARY KEY, -- a hash
  approval text NOT NULL, -- JSON
  expires_at bigint NOT NULL
);
CREATE INDEX login_approvals_by_end ON login_approvals (expires_at);

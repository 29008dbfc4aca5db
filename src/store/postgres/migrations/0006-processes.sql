-- works-from: 1
-- The processes that share this database. A process is alive while it renews `seen_at`.
CREATE TABLE processes (
  id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL,
  url text NOT NULL,
  version text NOT NULL,
  protocol integer NOT NULL,
  has_browser boolean NOT NULL,
  free_pages integer NOT NULL,
  free_sessions integer NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL
);

-- Which process has a browser session. Its other facts are in that process.
CREATE TABLE session_places (
  id text PRIMARY KEY,
  process_id text NOT NULL REFERENCES processes ON DELETE CASCADE,
  team_id text NOT NULL,
  -- The scrape that the session continues; it has one session at a time.
  scrape text,
  -- Hashes of the tokens in its links.
  tokens text[] NOT NULL DEFAULT '{}',
  ended_at bigint
);
CREATE INDEX session_places_by_team ON session_places (team_id);
CREATE INDEX session_places_by_process ON session_places (process_id);
CREATE INDEX session_places_by_token ON session_places USING gin (tokens);
CREATE INDEX session_places_by_end ON session_places (ended_at) WHERE ended_at IS NOT NULL;
CREATE UNIQUE INDEX session_places_by_scrape ON session_places (scrape) WHERE scrape IS NOT NULL AND ended_at IS NULL;

-- One row: a check value of the secret that all processes must have.
CREATE TABLE installation (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  secret_check text NOT NULL
);

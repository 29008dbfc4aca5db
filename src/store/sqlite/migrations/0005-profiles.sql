-- What browsers have stored for a team under a name, until the team removes it. The bodies are encrypted.

CREATE TABLE profiles (
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  body_id INTEGER NOT NULL REFERENCES bodies (id),
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX profiles_by_body ON profiles (body_id);

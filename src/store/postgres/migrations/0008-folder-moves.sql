-- works-from: 1
-- The move of an embedded data folder into this database: which folder, and how far it has come.
CREATE TABLE folder_moves (
  origin text PRIMARY KEY, -- a hash of the secret of the folder
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);

CREATE TABLE folder_move_tables (
  name text PRIMARY KEY,
  position text NOT NULL, -- JSON: the key of the last row that was copied
  copied bigint NOT NULL
);

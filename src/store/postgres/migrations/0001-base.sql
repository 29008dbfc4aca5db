-- works-from: 1
-- Large bodies, in parts, for installations without an object store.
CREATE TABLE blobs (
  name text COLLATE "C" PRIMARY KEY,
  size bigint NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE blob_parts (
  blob text COLLATE "C" NOT NULL REFERENCES blobs ON DELETE CASCADE,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (blob, part)
);
-- What is stored is compressed already.
ALTER TABLE blob_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;

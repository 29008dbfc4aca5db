-- Blobs that were moved from the data folder to an object store (TRAWL_BLOBS_URL).
CREATE TABLE objects (
  name TEXT PRIMARY KEY, -- the blob of a body
  size INTEGER NOT NULL,
  removed INTEGER NOT NULL -- 1: no body refers to it any more, and it is still to be removed from the object store
) STRICT, WITHOUT ROWID;
CREATE INDEX removed_objects ON objects (name) WHERE removed = 1;

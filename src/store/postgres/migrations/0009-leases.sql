-- works-from: 8
-- Work that one process at a time does, such as feeding an index that all share.
CREATE TABLE leases (
  name text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  lease_until bigint NOT NULL
);

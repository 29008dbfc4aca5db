-- works-from: 9
-- A charge whose connection was lost is written again, and must not count twice if the first one had arrived.
ALTER TABLE ledger ADD COLUMN once uuid;
CREATE UNIQUE INDEX charges_once ON ledger (once) WHERE once IS NOT NULL;

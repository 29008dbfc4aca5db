-- works-from: 9
-- That a process of this installation has written where it is. Others send it what is sealed in this database.
ALTER TABLE processes ADD COLUMN proof text NOT NULL DEFAULT '';

-- The conditions as `sqlite/database/dialect.ts` spells them: for IN, SQLite makes a temporary table whenever a task is written.

DROP INDEX tasks_with_problems;
DROP INDEX open_tasks_by_pattern;
DROP INDEX ended_pages;
CREATE INDEX tasks_with_problems ON tasks (job, state, id)
  WHERE (state = 'failed' OR state = 'blocked' OR state = 'refused');
CREATE INDEX open_tasks_by_pattern ON tasks (job, pattern)
  WHERE (state = 'waiting' OR state = 'paused' OR state = 'spare') AND pattern <> '';
CREATE INDEX ended_pages ON tasks (job, ended_at, id, host, state)
  WHERE kind = 'page' AND (state = 'done' OR state = 'failed' OR state = 'blocked');

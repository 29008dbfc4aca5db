// SQL for feedback on requests.
import type { FeedbackStore, NewFeedback } from '../../feedback-store.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';

export function createFeedbackRows({ database }: Pick<Base, 'database'>): FeedbackStore {
  const { sql: pool } = database;
  return {
    async add(feedback) {
      const { id, teamId, endpoint, requestId, content, now } = feedback;
      // What was rated once stays rated, also when the request itself is forgotten.
      const earlier = await findFeedback(pool, feedback);
      if (earlier) return { id: earlier, isFirst: false };
      if (!(await isKnown(pool, feedback))) return undefined;
      const { count } = await pool`
        INSERT INTO feedback (request_id, id, team_id, endpoint, content, created_at)
        VALUES (${requestId}, ${id}, ${teamId}, ${endpoint}, ${JSON.stringify(content)}, ${now})
        ON CONFLICT (request_id) DO NOTHING`;
      if (count === 1) return { id, isFirst: true };
      const first = await findFeedback(pool, feedback);
      return first === undefined ? undefined : { id: first, isFirst: false };
    },
  };
}

async function findFeedback(sql: Sql, { requestId, teamId, endpoint }: NewFeedback): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    SELECT id FROM feedback WHERE request_id = ${requestId} AND team_id = ${teamId} AND endpoint = ${endpoint}`;
  return row?.id;
}

async function isKnown(sql: Sql, { endpoint, requestId, teamId, now }: NewFeedback): Promise<boolean> {
  const rows =
    endpoint === 'scrape' || endpoint === 'parse'
      ? await sql`SELECT 1 FROM scrapes WHERE id = ${requestId} AND team_id = ${teamId}`
      : await sql`SELECT 1 FROM requests WHERE id = ${requestId} AND team_id = ${teamId} AND endpoint = ${endpoint}
          AND is_ratable AND expires_at > ${now}`;
  return rows.length > 0;
}

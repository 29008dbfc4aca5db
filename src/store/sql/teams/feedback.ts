// Feedback on requests.
import type { FeedbackStore, NewFeedback } from '../../ports/teams/feedback-store.ts';
import type { Database } from '../database.ts';

export const createFeedback = (database: Database): FeedbackStore => ({
  async add(feedback) {
    const { id, teamId, endpoint, requestId, content, now } = feedback;
    // A rating stays, also when the request itself is forgotten.
    const earlier = await findEarlier(database, feedback);
    if (earlier) return earlier;
    if (!(await isKnown(database, feedback))) return undefined;
    const added = await database.run`
      INSERT INTO feedback (request_id, id, team_id, endpoint, content, created_at)
      VALUES (${requestId}, ${id}, ${teamId}, ${endpoint}, ${JSON.stringify(content)}, ${now})
      ON CONFLICT (request_id) DO NOTHING`;
    return added === 1 ? { id, isFirst: true } : findEarlier(database, feedback);
  },
});

async function findEarlier(database: Database, { requestId, teamId, endpoint }: NewFeedback) {
  const row = await database.one<{ id: string }>`
    SELECT id FROM feedback WHERE request_id = ${requestId} AND team_id = ${teamId} AND endpoint = ${endpoint}`;
  return row && { id: row.id, isFirst: false };
}

async function isKnown(database: Database, { endpoint, requestId, teamId, now }: NewFeedback): Promise<boolean> {
  const request =
    endpoint === 'scrape' || endpoint === 'parse'
      ? await database.one`SELECT 1 FROM scrapes WHERE id = ${requestId} AND team_id = ${teamId}`
      : await database.one`
          SELECT 1 FROM requests WHERE id = ${requestId} AND team_id = ${teamId} AND endpoint = ${endpoint}
            AND is_ratable AND expires_at > ${now}`;
  return request !== undefined;
}

// SQL for feedback on requests.

import type { Connection } from '../../util/sqlite.ts';
import type { FeedbackStore, NewFeedback } from '../feedback-store.ts';
import type { Served } from './served.ts';

export function createFeedbackRows(connection: Connection): Served<FeedbackStore> {
  const sql = prepareAll(connection);

  const isKnown = ({ endpoint, requestId, teamId, now }: NewFeedback): boolean =>
    endpoint === 'scrape' || endpoint === 'parse'
      ? sql.findScrape.get(requestId, teamId) !== undefined
      : sql.findRequest.get(requestId, teamId, endpoint, now) !== undefined;

  return {
    add: (feedback) =>
      connection.transaction(() => {
        const { id, teamId, endpoint, requestId, content, now } = feedback;
        // What was rated once stays rated, also when the request itself is forgotten.
        const earlier = sql.findFeedback.get(requestId, teamId, endpoint);
        if (earlier) return { id: earlier.id, isFirst: false };
        if (!isKnown(feedback)) return undefined;
        sql.addFeedback.run(requestId, id, teamId, endpoint, JSON.stringify(content), now);
        return { id, isFirst: true };
      }),
  };
}

const prepareAll = (connection: Connection) => ({
  findRequest: connection.prepare(
    'SELECT 1 FROM requests WHERE id = ? AND team_id = ? AND endpoint = ? AND is_ratable = 1 AND expires_at > ?',
  ),
  findScrape: connection.prepare('SELECT 1 FROM scrapes WHERE id = ? AND team_id = ?'),
  findFeedback: connection.prepare<{ id: string }>(
    'SELECT id FROM feedback WHERE request_id = ? AND team_id = ? AND endpoint = ?',
  ),
  addFeedback: connection.prepare(
    'INSERT INTO feedback (request_id, id, team_id, endpoint, content, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  ),
});

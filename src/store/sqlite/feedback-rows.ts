// SQL for requests that can be rated, and for their feedback.

import type { Connection } from '../../util/sqlite.ts';
import type { FeedbackStore, NewFeedback } from '../feedback-store.ts';
import type { RatedRequest } from '../scrape-store.ts';
import type { Served } from './served.ts';

export interface FeedbackRows extends Served<FeedbackStore> {
  /** Call inside a transaction. */
  note(request: RatedRequest, teamId: string, now: number): void;
  removeExpired(now: number, limit: number): number;
}

export function createFeedbackRows(connection: Connection): FeedbackRows {
  const sql = prepareAll(connection);

  const isKnown = ({ endpoint, requestId, teamId, now }: NewFeedback): boolean =>
    endpoint === 'scrape' || endpoint === 'parse'
      ? sql.findScrape.get(requestId, teamId) !== undefined
      : sql.findRequest.get(requestId, teamId, endpoint, now) !== undefined;

  return {
    note: ({ id, endpoint, target, expiresAt }, teamId, now) =>
      void sql.addRequest.run(id, teamId, endpoint, target ?? null, now, expiresAt),
    add: (feedback) =>
      connection.transaction(() => {
        const { id, teamId, endpoint, requestId, content, now } = feedback;
        if (!isKnown(feedback)) return undefined;
        const earlier = sql.findFeedback.get(requestId);
        if (earlier) return { id: earlier.id, isFirst: false };
        sql.addFeedback.run(requestId, id, teamId, endpoint, JSON.stringify(content), now);
        return { id, isFirst: true };
      }),
    removeExpired: (now, limit) => Number(sql.removeExpired.run(now, limit).changes),
  };
}

const prepareAll = (connection: Connection) => ({
  addRequest: connection.prepare(
    'INSERT INTO requests (id, team_id, endpoint, target, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  findRequest: connection.prepare(
    'SELECT 1 FROM requests WHERE id = ? AND team_id = ? AND endpoint = ? AND expires_at > ?',
  ),
  findScrape: connection.prepare('SELECT 1 FROM scrapes WHERE id = ? AND team_id = ?'),
  findFeedback: connection.prepare<{ id: string }>('SELECT id FROM feedback WHERE request_id = ?'),
  addFeedback: connection.prepare(
    'INSERT INTO feedback (request_id, id, team_id, endpoint, content, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  removeExpired: connection.prepare(
    'DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE expires_at <= ? LIMIT ?)',
  ),
});

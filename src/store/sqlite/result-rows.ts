// SQL for transform results: attached to a cached page, or detached while a scrape refers to them.
import type { Connection } from '../../util/sqlite.ts';
import { movable } from '../encoding/join-bytes.ts';
import type { PackedResult } from '../encoding/pack-page.ts';
import { contentOf, type StoredOutcome } from '../encoding/stored-outcome.ts';
import type { Bodies } from './bodies.ts';

const MAX_RESULTS_PER_PAGE = 8;
/** How long a result without references waits for the scrape about to refer to it. */
export const GRACE_MS = 600_000;

/** Call all but the readers inside a transaction, except `removeDetached`, which is one itself. */
export interface ResultRows {
  addDetached(result: PackedResult): number;
  addTo(pageId: number, result: PackedResult): number;
  /** Attaches a result to a page, replacing one with the same key, and returns by how much the page grew. */
  attach(pageId: number, result: PackedResult): { id: number; growth: number };
  find(pageId: number, transformKey: string): { id: number; stored: StoredOutcome } | undefined;
  readOutcome(bodyId: number): StoredOutcome | undefined;
  /** The content as JSON text. */
  readContent(bodyId: number): Uint8Array | undefined;
  /** The contents of a list that is about to be read. */
  expect(bodyIds: readonly number[]): void;
  /** Keeps a result for a scrape; false if it is already gone. */
  retain(id: number): boolean;
  /** A scrape no longer refers to the result. Without another scrape or a page, the result is removed. */
  release(id: number): void;
  /** Detaches a page from its results, which stay as long as a scrape refers to them. */
  detachAll(pageId: number, now: number): void;
  removeDetached(now: number, limit: number): number;
}

interface ResultRow {
  id: number;
  bodyId: number;
  size: number;
}

const RESULT = 'id, body_id AS bodyId, size';
const DETACH = `UPDATE results SET page_id = NULL,
  keep_until = CASE WHEN EXISTS (SELECT 1 FROM scrapes WHERE result_id = results.id) THEN NULL ELSE ? END`;

export function createResultRows(connection: Connection, bodies: Bodies): ResultRows {
  const addResult = connection.prepare<{ id: number }>(
    'INSERT INTO results (page_id, transform_key, body_id, size, keep_until) VALUES (?, ?, ?, ?, ?) RETURNING id',
  );
  const ofKey = connection.prepare<ResultRow>(`SELECT ${RESULT} FROM results WHERE page_id = ? AND transform_key = ?`);
  const oldest = connection.prepare<ResultRow>(
    `SELECT ${RESULT} FROM results WHERE page_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?`,
  );
  const hold = connection.prepare('UPDATE results SET keep_until = NULL WHERE id = ?');
  const detach = connection.prepare(`${DETACH} WHERE id = ?`);
  const loosenAll = connection.prepare(`${DETACH} WHERE page_id = ?`);
  const looseUntil = connection.prepare<ResultRow>(
    `SELECT ${RESULT} FROM results WHERE keep_until <= ? ORDER BY keep_until LIMIT ?`,
  );
  const remove = connection.prepare('DELETE FROM results WHERE id = ?');
  const removeUnused = connection.prepare<{ bodyId: number }>(
    `DELETE FROM results WHERE id = ?1 AND page_id IS NULL AND NOT EXISTS (SELECT 1 FROM scrapes WHERE result_id = ?1)
     RETURNING body_id AS bodyId`,
  );

  const add = (pageId: number | null, { transformKey, body }: PackedResult, keepUntil: number | null): number =>
    addResult.get(pageId, transformKey, bodies.add(body), body.byteLength, keepUntil)!.id;
  const addTo = (pageId: number, result: PackedResult) => add(pageId, result, null);

  const readOutcome = (bodyId: number): StoredOutcome | undefined => {
    const stored = bodies.read(bodyId);
    return stored && contentOf(stored) ? movable(stored) : undefined;
  };

  return {
    addDetached: (result) => add(null, result, result.now + GRACE_MS),
    addTo,
    attach(pageId, result) {
      let growth = result.body.byteLength;
      const loosenEach = (results: ResultRow[]) => {
        for (const { id, size } of results) {
          detach.run(result.now + GRACE_MS, id);
          growth -= size;
        }
      };
      loosenEach(ofKey.all(pageId, result.transformKey));
      const id = addTo(pageId, result);
      loosenEach(oldest.all(pageId, MAX_RESULTS_PER_PAGE));
      return { id, growth };
    },
    find(pageId, transformKey) {
      const found = ofKey.get(pageId, transformKey);
      const stored = found && readOutcome(found.bodyId);
      return stored && { id: found.id, stored };
    },
    readOutcome,
    readContent(bodyId) {
      const stored = bodies.read(bodyId);
      return stored && contentOf(stored);
    },
    expect: bodies.expect,
    retain: (id) => Number(hold.run(id).changes) > 0,
    release(id) {
      const removed = removeUnused.get(id);
      if (removed) bodies.remove(removed.bodyId);
    },
    detachAll: (pageId, now) => void loosenAll.run(now + GRACE_MS, pageId),
    removeDetached(now, limit) {
      return connection.transaction(() => {
        const loose = looseUntil.all(now, limit);
        for (const { id, bodyId } of loose) {
          remove.run(id);
          bodies.remove(bodyId);
        }
        return loose.length;
      });
    },
  };
}

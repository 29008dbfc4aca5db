// Transform results: beside a cached page, or loose for as long as a scrape refers to them.
import type { TransformOutcome } from '../../contracts/page.ts';
import type { NewResult } from '../pages.ts';
import type { Bodies, Packed } from './bodies.ts';
import type { Connection } from './connection.ts';

const RESULTS_KEPT = 8;
/** How long a loose result waits for the scrape that is about to refer to it. */
const LOOSE_RESULT_MS = 600_000;

export interface ResultRows {
  add(pageId: number | null, result: NewResult, packed: Packed): number;
  /** Puts a result beside a page, in place of one with the same key, and says by how much the page grew. */
  attach(pageId: number, result: NewResult, packed: Packed): { id: number; growth: number };
  find(pageId: number, transformKey: string): { id: number; outcome: TransformOutcome } | undefined;
  /** Keeps a result at least until then; false when it is gone already. */
  hold(id: string, until: number): boolean;
  /** Parts a page from its results: they outlive it while a scrape may still ask for them. */
  loosenAll(pageId: number, now: number): void;
  removeLoose(now: number, limit: number): number;
}

interface ResultRow {
  id: number;
  bodyId: number;
  size: number;
}

const RESULT = 'id, body_id AS bodyId, size';

export function createResultRows(connection: Connection, bodies: Bodies): ResultRows {
  const addResult = connection.prepare<{ id: number }>(
    'INSERT INTO results (page_id, transform_key, body_id, size, keep_until) VALUES (?, ?, ?, ?, ?) RETURNING id',
  );
  const ofKey = connection.prepare<ResultRow>(`SELECT ${RESULT} FROM results WHERE page_id = ? AND transform_key = ?`);
  const oldest = connection.prepare<ResultRow>(
    `SELECT ${RESULT} FROM results WHERE page_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?`,
  );
  const hold = connection.prepare('UPDATE results SET keep_until = max(keep_until, ?) WHERE id = ?');
  const loosen = connection.prepare(
    'UPDATE results SET page_id = NULL, keep_until = max(keep_until, ?) WHERE page_id = ? AND id = ?',
  );
  const loosenAll = connection.prepare(
    'UPDATE results SET page_id = NULL, keep_until = max(keep_until, ?) WHERE page_id = ?',
  );
  const looseUntil = connection.prepare<ResultRow>(
    `SELECT ${RESULT} FROM results WHERE page_id IS NULL AND keep_until <= ? ORDER BY keep_until LIMIT ?`,
  );
  const remove = connection.prepare('DELETE FROM results WHERE id = ?');

  const add: ResultRows['add'] = (pageId, { transformKey, now }, packed) => {
    const bodyId = BigInt(bodies.keep(packed));
    const page = pageId === null ? null : BigInt(pageId);
    return addResult.get(page, transformKey, bodyId, packed.byteLength, now + LOOSE_RESULT_MS)!.id;
  };

  return {
    add,
    attach(pageId, result, packed) {
      const page = BigInt(pageId);
      let growth = packed.byteLength;
      const loosenEach = (results: ResultRow[]) => {
        for (const { id, size } of results) {
          loosen.run(result.now + LOOSE_RESULT_MS, page, BigInt(id));
          growth -= size;
        }
      };
      loosenEach(ofKey.all(page, result.transformKey));
      const id = add(pageId, result, packed);
      loosenEach(oldest.all(page, RESULTS_KEPT));
      return { id, growth };
    },
    find(pageId, transformKey) {
      const found = ofKey.get(BigInt(pageId), transformKey);
      const outcome = found && bodies.readJson<TransformOutcome>(found.bodyId);
      return outcome && { id: found.id, outcome };
    },
    hold: (id, until) => Number(hold.run(until, BigInt(id)).changes) > 0,
    loosenAll: (pageId, now) => void loosenAll.run(now + LOOSE_RESULT_MS, BigInt(pageId)),
    removeLoose(now, limit) {
      return connection.transaction(() => {
        const loose = looseUntil.all(now, limit);
        for (const { id, bodyId } of loose) {
          remove.run(BigInt(id));
          bodies.drop(bodyId);
        }
        return loose.length;
      });
    },
  };
}

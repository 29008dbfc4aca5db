// Finds the newest version of a cached page that a caller accepts, with the wanted result if there is one.
import type { PageHeader } from '../../../../page/page.ts';
import { type Bytes, movable } from '../../../encoding/join-bytes.ts';
import type { StoredOutcome } from '../../../encoding/stored-outcome.ts';
import type { CachedPage, PageQuery } from '../../../ports/pages/page-store.ts';
import { type Database, sql } from '../../database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';
import type { ResultRows } from './result-rows.ts';

const USE_RESOLUTION_MS = 3_600_000;

export interface KeptQuery extends PageQuery {
  /** The result that the caller still has. It is named, not read. */
  keptResult?: string | undefined;
}

/** A cached page whose result, if it has one, is still as stored, unless the caller has it. */
export type IntactPage = Pick<CachedPage, 'pageId' | 'header' | 'screenshot'> &
  ({ resultId: string; stored: StoredOutcome | undefined } | { bytes: Bytes });

/** The body is that of the result, or that of the page if there is no result. */
interface FoundVersion extends BodyColumns {
  id: number;
  header: string;
  usedAt: number;
  checkedAt: number;
  /** The id of the file, if a screenshot was requested. */
  screenshot: string | null;
  resultId: number | null;
}

interface PageFinderDeps {
  database: Database;
  bodies: Bodies;
  results: Pick<ResultRows, 'readOutcome'>;
  /** Removes a page whose bytes are lost. */
  removeLost(pageId: number, now: number): Promise<void>;
}

export function createPageFinder({ database, bodies, results, removeLost }: PageFinderDeps) {
  const body = bodies.columnsOfFirst(sql`results`, sql`newest`);

  const findVersion = ({ key, viewer, transformKey, screenshot, verifiedOnly, from, until, now }: PageQuery) => {
    const [fileId, shown] =
      screenshot === undefined
        ? [sql`NULL::text AS file_id`, sql``]
        : [sql`file_id`, sql`JOIN screenshots AS shown ON shown.page_id = pages.id AND shown.options = ${screenshot}`];
    return database.one<FoundVersion>`
      SELECT newest.id, header, used_at AS "usedAt", checked_at AS "checkedAt", file_id AS screenshot,
        results.id AS "resultId", ${body}
      FROM (
        SELECT id, header, used_at, checked_at, ${fileId}, ${bodies.target} FROM pages ${shown}
        WHERE key = ${key} AND owner = ANY(${viewer}::text[]) AND checked_at >= ${from} AND fetched_at <= ${until}
          AND (expires_at IS NULL OR expires_at > ${now}) AND (verified OR ${!verifiedOnly})
        ORDER BY fetched_at DESC, pages.id DESC LIMIT 1
      ) AS newest LEFT JOIN results ON results.id = (
        SELECT max(id) FROM results WHERE page_id = newest.id AND transform_key = ${transformKey})`;
  };

  const readBytes = async (page: FoundVersion) => {
    if (page.resultId === null) return bodies.read(page);
    // The result was there, but is lost.
    const row = await database.one<BodyColumns>`SELECT ${bodies.columns} FROM pages WHERE id = ${page.id}`;
    return row && bodies.read(row);
  };

  return async (query: KeptQuery): Promise<IntactPage | undefined> => {
    const page = await findVersion(query);
    if (!page) return undefined;
    const { id: pageId, screenshot, usedAt, checkedAt } = page;
    if (query.now - usedAt >= USE_RESOLUTION_MS) {
      await database.attempt(() => database.run`UPDATE pages SET used_at = ${query.now} WHERE id = ${pageId}`);
    }
    const header = { ...(JSON.parse(page.header) as PageHeader), fetchedAt: Math.min(checkedAt, query.until) };
    const found = { pageId, header, ...(screenshot !== null && { screenshot }) };
    if (query.keptResult !== undefined && String(page.resultId) === query.keptResult)
      return { ...found, resultId: query.keptResult, stored: undefined };
    const stored = page.resultId === null ? undefined : await results.readOutcome(page);
    if (stored) return { ...found, resultId: String(page.resultId), stored };
    const bytes = await readBytes(page);
    if (bytes) return { ...found, bytes: movable(bytes) };
    await database.attempt(() => removeLost(pageId, query.now));
    return undefined;
  };
}

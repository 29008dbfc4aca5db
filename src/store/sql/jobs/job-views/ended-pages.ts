// The pages of a job that were read or failed, without their content; the last first.
import type { EndedPage, JobViews } from '../../../ports/jobs/job-views.ts';
import { type Database, sql } from '../../database.ts';

/** A title can be as long as a page. */
const MAX_TITLE = 500;

interface Row {
  task: number;
  id: string;
  url: string;
  at: number;
  state: EndedPage['state'];
  code: string | null;
  message: string | null;
  /** JSON. It is not read in SQL, because it may contain \u0000, which no value of PostgreSQL can have. */
  metadata: string | null;
  warning: string | null;
}

interface Shown {
  title?: unknown;
  statusCode?: number;
  creditsUsed?: number;
}

export const createEndedPages =
  (database: Database): JobViews['endedPages'] =>
  async (id, { states, after, limit }) => {
    const rows = await database.rows<Row>`
      SELECT tasks.id AS task, tasks.scrape_id AS id, tasks.url, ended_at AS at, state, code, message, metadata, warning
      FROM tasks LEFT JOIN scrapes ON scrapes.id = tasks.scrape_id
      WHERE tasks.job = (SELECT number FROM jobs WHERE jobs.id = ${id}) AND kind = 'page'
        AND state IN ('done', 'failed', 'blocked') AND state = ANY(${states}::text[])
        ${after ? sql`AND (ended_at, tasks.id) < (${after.at}, ${after.task})` : sql``}
      ORDER BY ended_at DESC, tasks.id DESC LIMIT ${limit}`;
    return rows.map(({ code, message, metadata, warning, ...page }) => {
      const { title, statusCode, creditsUsed } = JSON.parse(metadata ?? '{}') as Shown;
      return {
        ...page,
        ...(page.state === 'failed' && { code: code ?? '', message: message ?? '' }),
        ...(title !== undefined && title !== null && { title: shownTitle(title) }),
        ...(statusCode !== undefined && { statusCode }),
        ...(creditsUsed !== undefined && { credits: creditsUsed }),
        ...(warning !== null && { warning }),
      };
    });
  };

/** A page can have several. */
const shownTitle = (title: unknown): string =>
  String(Array.isArray(title) ? (title[0] ?? '') : title).slice(0, MAX_TITLE);

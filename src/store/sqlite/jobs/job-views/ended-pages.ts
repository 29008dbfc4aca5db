// The pages of a job that were read or failed, without their content; the last first.
import type { Connection } from '../../../../util/sqlite.ts';
import type { EndedPage, JobViews } from '../../../job-views.ts';
import { shownTitle } from '../../../records/jobs/shown-title.ts';
import type { Served } from '../../served.ts';

interface Row {
  task: number;
  id: string;
  url: string;
  at: number;
  state: EndedPage['state'];
  code: string | null;
  message: string | null;
  /** As JSON, because a page can have several. */
  title: string | null;
  statusCode: number | null;
  credits: number | null;
  warning: string | null;
}

export function createEndedPages(connection: Connection): Served<JobViews>['endedPages'] {
  const list = connection.prepare<Row>(
    `SELECT tasks.id AS task, tasks.scrape_id AS id, tasks.url, ended_at AS at, state, code, message,
       metadata -> '$.title' AS title, metadata ->> '$.statusCode' AS statusCode,
       metadata ->> '$.creditsUsed' AS credits, warning
     FROM tasks INDEXED BY ended_pages LEFT JOIN scrapes ON scrapes.id = tasks.scrape_id
     WHERE tasks.job = (SELECT number FROM jobs WHERE jobs.id = ?1) AND kind = 'page'
       AND state IN ('done', 'failed', 'blocked') AND state IN (SELECT value FROM json_each(?2))
       AND (ended_at, tasks.id) < (?3, ?4)
     ORDER BY ended_at DESC, tasks.id DESC LIMIT ?5`,
  );
  return (id, { states, after, limit }) =>
    list
      .all(id, JSON.stringify(states), after?.at ?? Number.MAX_SAFE_INTEGER, after?.task ?? 0, limit)
      .map(({ code, message, title, statusCode, credits, warning, ...page }) => ({
        ...page,
        ...(page.state === 'failed' && { code: code ?? '', message: message ?? '' }),
        ...(title !== null && { title: shownTitle(JSON.parse(title)) }),
        ...(statusCode !== null && { statusCode }),
        ...(credits !== null && { credits }),
        ...(warning !== null && { warning }),
      }));
}

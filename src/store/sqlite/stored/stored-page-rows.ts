// SQL for looking at what is stored: pages by host, and everything that is known of one page.
import type { Connection } from '../../../util/sqlite.ts';
import { movable } from '../../encoding/join-bytes.ts';
import { openStored } from '../../encoding/stored-outcome.ts';
import {
  collectResults,
  details,
  LIST_BYTES,
  RESULTS_READ,
  type StoredCopy,
  summary,
  URLS_SEARCHED,
} from '../../records/pages/page-summary.ts';
import type { StoredPage, StoredPages } from '../../stored-pages.ts';
import type { Bodies } from '../bodies.ts';
import type { Served } from '../served.ts';
import { createPageParts } from './page-parts.ts';
import type { FindUrls } from './stored-urls.ts';

interface Deps {
  connection: Connection;
  bodies: Bodies;
  findUrls: FindUrls;
}

export function createStoredPageRows(deps: Deps): Pick<Served<StoredPages>, 'list' | 'find'> {
  const { connection, bodies, findUrls } = deps;
  const readParts = createPageParts(connection, bodies);
  const readResults = createResultReader(connection, bodies);
  const leading = connection.prepare<{ finalUrl: string }>(
    `SELECT final_url AS finalUrl FROM pages
     WHERE owner IN (SELECT value FROM json_each(?)) AND url = ? AND final_url IS NOT NULL
     ORDER BY fetched_at DESC, id DESC LIMIT 1`,
  );

  return {
    list({ viewer, teamId, seesAll, host, contains, tracked, after = '', limit }) {
      const { urls, end } = findUrls({
        ...{ owners: viewer, teamId, seesAll, host, after },
        limit: contains === undefined ? limit + 1 : URLS_SEARCHED,
        ...(tracked && { only: 'tracked' as const }),
      });
      const wanted = contains === undefined ? urls : urls.filter((url) => url.includes(contains));
      const pages: StoredPage[] = [];
      let bytes = 0;
      for (const [index, url] of wanted.entries()) {
        const parts = readParts(url, viewer, teamId);
        if (parts) pages.push(summary(url, parts, teamId));
        bytes += parts?.bytesRead ?? 0;
        const isFull = pages.length === limit || bytes > LIST_BYTES;
        if (isFull && (index + 1 < wanted.length || end !== undefined)) return { pages, next: url };
      }
      return { pages, ...(end !== undefined && { next: end }) };
    },

    find(url, viewer, teamId) {
      const target = leading.get(JSON.stringify(viewer), url)?.finalUrl;
      const own = readParts(url, viewer, teamId);
      const known = own && (own.indexed?.entry || own.copies.length > 0);
      // A URL that leads elsewhere may be tracked itself, but what is stored of the page is there.
      const parts = known || target === undefined ? own : (readParts(target, viewer, teamId) ?? own);
      return parts && details({ url, own, target, parts }, readResults(parts.copies), teamId);
    },
  };
}

/** Reads the newest results of a page. */
function createResultReader(connection: Connection, bodies: Bodies) {
  const resultsOf = connection.prepare<{ bodyId: number }>(
    'SELECT body_id AS bodyId FROM results WHERE page_id = ? ORDER BY id DESC LIMIT ?',
  );
  return (copies: StoredCopy[]) => {
    const found = collectResults();
    let left = RESULTS_READ;
    for (const { id, fetchedAt } of copies) {
      for (const { bodyId } of resultsOf.all(id, left)) {
        left -= 1;
        const stored = bodies.read(bodyId);
        if (stored) found.add(openStored({ stored: movable(stored) }).outcome, fetchedAt);
      }
      if (left === 0 || found.hasContent()) break;
    }
    return found.results();
  };
}

// Looks at what is stored: pages by host, and everything that is known of one page.
import { movable } from '../../../encoding/join-bytes.ts';
import { openStored } from '../../../encoding/stored-outcome.ts';
import type { StoredPage, StoredPages } from '../../../ports/pages/stored-pages.ts';
import {
  collectResults,
  details,
  LIST_BYTES,
  RESULTS_READ,
  type StoredCopy,
  summary,
  URLS_SEARCHED,
} from '../../../rules/pages/page-summary.ts';
import type { Queries } from '../../database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';
import { createPageParts } from './page-parts.ts';
import type { FindUrls } from './stored-urls.ts';

/** How many pages are read at once: entries are large. */
const AT_ONCE = 20;

interface Deps {
  database: Queries;
  bodies: Bodies;
  findUrls: FindUrls;
}

export function createStoredPageRows({ database, bodies, findUrls }: Deps): Pick<StoredPages, 'list' | 'find'> {
  const readParts = createPageParts(database, bodies);
  const readResults = createResultReader(database, bodies);

  return {
    async list({ viewer, teamId, seesAll, host, contains, tracked, after = '', limit }) {
      const { urls, end } = await findUrls({
        ...{ owners: viewer, teamId, seesAll, host, after },
        limit: contains === undefined ? limit + 1 : URLS_SEARCHED,
        ...(tracked && { only: 'tracked' as const }),
      });
      const wanted = contains === undefined ? urls : urls.filter((url) => url.includes(contains));
      const pages: StoredPage[] = [];
      let bytes = 0;
      for (let at = 0; at < wanted.length; at += AT_ONCE) {
        const parts = await readParts(wanted.slice(at, at + AT_ONCE), viewer, teamId);
        for (const [index, url] of wanted.slice(at, at + AT_ONCE).entries()) {
          const found = parts.get(url);
          if (found) pages.push(summary(url, found, teamId));
          bytes += found?.bytesRead ?? 0;
          const isFull = pages.length === limit || bytes > LIST_BYTES;
          if (isFull && (at + index + 1 < wanted.length || end !== undefined)) return { pages, next: url };
        }
      }
      return { pages, ...(end !== undefined && { next: end }) };
    },

    async find(url, viewer, teamId) {
      const leading = await database.one<{ finalUrl: string }>`
        SELECT final_url AS "finalUrl" FROM pages
        WHERE owner = ANY(${viewer}::text[]) AND url_key(url) = url_key(${url}) AND final_url IS NOT NULL
        ORDER BY fetched_at DESC, id DESC LIMIT 1`;
      const target = leading?.finalUrl;
      const read = await readParts(target === undefined ? [url] : [url, target], viewer, teamId);
      const own = read.get(url);
      const known = own && (own.indexed?.entry || own.copies.length > 0);
      // A URL that leads elsewhere may be tracked itself, but what is stored of the page is there.
      const parts = known || target === undefined ? own : (read.get(target) ?? own);
      return parts && details({ url, own, target, parts }, await readResults(parts.copies), teamId);
    },
  };
}

/** Reads the newest results of a page. */
function createResultReader(queries: Queries, bodies: Bodies) {
  return async (copies: StoredCopy[]) => {
    const found = collectResults();
    let left = RESULTS_READ;
    for (const { id, fetchedAt } of copies) {
      const rows = await queries.rows<BodyColumns>`
        SELECT ${bodies.columns} FROM results WHERE page_id = ${id} ORDER BY id DESC LIMIT ${left}`;
      for (const row of rows) {
        left -= 1;
        const stored = await bodies.read(row);
        if (stored) found.add(openStored({ stored: movable(stored) }).outcome, fetchedAt);
      }
      if (left === 0 || found.hasContent()) break;
    }
    return found.results();
  };
}

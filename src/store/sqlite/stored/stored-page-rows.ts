// SQL for looking at what is stored: pages by host, and everything that is known of one page.
import type { PageContent, PageMetadata, PageVariant } from '../../../contracts/page.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { PageCopy, StoredPage, StoredPageDetails, StoredPages } from '../../stored-pages.ts';
import type { Bodies } from '../bodies.ts';
import { movable } from '../join-bytes.ts';
import type { Served } from '../served.ts';
import { openStored } from '../stored-outcome.ts';
import { type CopyRow, createPageParts } from './page-parts.ts';
import type { FindUrls } from './stored-urls.ts';

/** URLs that one call looks at when it searches for a text in them. */
const URLS_SEARCHED = 2_000;
/** A list ends early when so many bytes of entries were read for it: the thread must not be busy for long. */
const LIST_BYTES = 4 * 1024 * 1024;
const RESULTS_READ = 8;

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
        if (parts) pages.push(parts.page);
        bytes += parts?.bytesRead ?? 0;
        const isFull = pages.length === limit || bytes > LIST_BYTES;
        if (isFull && (index + 1 < wanted.length || end !== undefined)) return { pages, next: url };
      }
      return { pages, ...(end !== undefined && { next: end }) };
    },

    find(url, viewer, teamId) {
      const target = leading.get(JSON.stringify(viewer), url)?.finalUrl;
      const own = readParts(url, viewer, teamId);
      const known = own && (own.entry || own.copies.length > 0);
      // A URL that leads elsewhere may be tracked itself, but what is stored of the page is there.
      const parts = known || target === undefined ? own : (readParts(target, viewer, teamId) ?? own);
      if (!parts) return undefined;
      const { page, entry, copies } = parts;
      const { content: markdown, ...results } = readResults(copies);
      const description = entry?.description || copies[0]?.description;
      const text = entry && { format: 'text' as const, text: entry.body, fetchedAt: entry.fetchedAt };
      const content = markdown ?? text;
      return {
        ...{ ...page, url, isTracked: own?.page.isTracked ?? false },
        ...(target !== undefined && { redirectsTo: target }),
        ...(description && { description }),
        ...(entry?.publishedAt !== undefined && { publishedAt: entry.publishedAt }),
        ...results,
        variants: copies.map(toCopy),
        ...(content && { content }),
      };
    },
  };
}

/** Reads the newest results of a page: the first Markdown, the metadata, and which formats there are. */
function createResultReader(connection: Connection, bodies: Bodies) {
  const resultsOf = connection.prepare<{ bodyId: number }>(
    'SELECT body_id AS bodyId FROM results WHERE page_id = ? ORDER BY id DESC LIMIT ?',
  );
  return (copies: CopyRow[]): Pick<StoredPageDetails, 'formats' | 'metadata' | 'content'> => {
    const formats = new Set<string>();
    let metadata: PageMetadata | undefined;
    let content: StoredPageDetails['content'];
    let left = RESULTS_READ;
    for (const { id, fetchedAt } of copies) {
      for (const { bodyId } of resultsOf.all(id, left)) {
        left -= 1;
        const stored = bodies.read(bodyId);
        if (!stored) continue;
        const { outcome } = openStored({ stored: movable(stored) });
        metadata ??= outcome.metadata;
        const made = JSON.parse(Buffer.from(outcome.content).toString()) as PageContent;
        for (const format of Object.keys(made)) formats.add(format);
        if (made.markdown !== undefined) content ??= { format: 'markdown', text: made.markdown, fetchedAt };
      }
      if (left === 0 || content) break;
    }
    return { formats: [...formats], metadata: metadata ?? {}, ...(content && { content }) };
  };
}

const toCopy = (row: CopyRow): PageCopy => ({
  requestedUrl: row.url,
  ...(row.variant !== null && { variant: JSON.parse(row.variant) as PageVariant }),
  ...{ fetchedAt: row.fetchedAt, checkedAt: row.checkedAt, expiresAt: row.expiresAt, status: row.status },
  ...{ contentType: row.contentType, bytes: row.size, isVerified: row.verified === 1, screenshots: row.screenshots },
});

// The pages of a crawl, read part by part, and why there are none.
import type { ResponseOf } from '../../contracts/route-types.ts';
import type { Trawl } from '../dialect.ts';

type CrawlState = ResponseOf<'crawlStatus'>;

const PAGES_AT_ONCE = 25;

/** Stop reading when there is enough. Other requests have their turn in between. */
export async function* crawledPages(id: string, trawl: Trawl): AsyncGenerator<CrawlState> {
  for (let skip = 0; ; ) {
    const query = { skip: String(skip), limit: String(PAGES_AT_ONCE) };
    const part = await trawl.call('crawlStatus', { params: { id }, query });
    yield part;
    skip += part.data.length;
    if (part.next === undefined || part.data.length === 0) return;
  }
}

/** A crawl without a page has an error to tell; a list that is empty would hide it. */
export async function whyEmpty(
  id: string,
  { status, error }: Pick<CrawlState, 'status' | 'error'>,
  trawl: Trawl,
): Promise<string | undefined> {
  const { errors, robotsBlocked } = await trawl.call('crawlErrors', { params: { id } });
  const [first] = errors;
  const said = first ? `${first.url}: ${first.error}` : robotsBlocked.length > 0 ? ROBOTS : undefined;
  return said ?? (status === 'failed' ? error : undefined);
}

const ROBOTS = 'No page was read, because robots.txt of the site forbids it.';

export const tooLarge = (id: string): string =>
  `The other pages are too large for this answer: GET /v2/crawl/${id} has them.`;

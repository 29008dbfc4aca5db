// The caller's requests of the last day, whose results are resources.
import { ApiError } from '../../client/api-error.ts';
import type { ResponseOf } from '../../contracts/route-types.ts';
import type { ListedResource, ResourceContext } from '../resource.ts';
import { agentUri, extractUri, pagesUri, scrapeUri } from './uris.ts';

const MAX_LISTED = 50;
const MAX_NAME_LENGTH = 120;
const FORBIDDEN = 403;

type Request = ResponseOf<'activity'>['data'][number];
type Endpoint = Request['endpoint'];
type Kind = 'scrape' | 'crawl' | 'batch' | 'agent' | 'extract';

const KINDS: { [Name in Endpoint]?: Kind } = {
  scrape: 'scrape',
  crawl: 'crawl',
  batch_scrape: 'batch',
  agent: 'agent',
  extract: 'extract',
};

const URI_OF: Record<Kind, (id: string) => string> = {
  scrape: (id) => scrapeUri(id),
  crawl: (id) => pagesUri('crawl', id),
  batch: (id) => pagesUri('batch', id),
  agent: (id) => agentUri(id),
  extract: (id) => extractUri(id),
};

export const listRecent = async (context: ResourceContext): Promise<ListedResource[]> =>
  (await askRecent(context)).flatMap(({ id, endpoint, target }) => {
    const kind = KINDS[endpoint];
    if (kind === undefined) return [];
    // The target of a request is not stored if its caller wanted nothing stored.
    const name = `${kind}: ${target ?? id}`.slice(0, MAX_NAME_LENGTH);
    return [{ uri: URI_OF[kind](id), name }];
  });

export const recentIds =
  (kind: Kind) =>
  async (context: ResourceContext): Promise<string[]> =>
    (await askRecent(context)).filter(({ endpoint }) => KINDS[endpoint] === kind).map(({ id }) => id);

/** A key that may not see the list has none. */
async function askRecent({ api, signal }: ResourceContext): Promise<Request[]> {
  try {
    return (await api.call('activity', { query: { limit: MAX_LISTED }, signal })).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === FORBIDDEN) return [];
    throw error;
  }
}

// Deletes pages from the cache and from the index, with the versions that the team tracks. A host is deleted in slices, so
// that other calls run in between; each page goes as a whole.
import { ServiceError } from '../../contracts/errors.ts';
import type { PageSharing } from '../../contracts/page-owner.ts';
import type { DeletePagesQuery, DeletePagesResponse } from '../../contracts/stored-pages.ts';
import type { Indexer } from '../../jobs/indexer.ts';
import type { AuditLog } from '../../store/audit-log.ts';
import type { PageStore } from '../../store/page-store.ts';
import type { Removable, RemovedPages, StoredPages } from '../../store/stored-pages.ts';
import type { Clock } from '../../util/clock.ts';
import { normaliseUrl } from '../../util/url.ts';
import type { Caller } from '../caller.ts';
import { givenUrl } from '../page/target-url.ts';
import { actorOf } from '../team/manage-keys.ts';
import { isOperator } from '../team/operator.ts';
import { givenHost } from './stored-pages.ts';

export interface DeletePagesDeps {
  stored: StoredPages;
  pages: Pick<PageStore, 'sweep'>;
  sharing: PageSharing;
  indexer: Pick<Indexer, 'wake'>;
  audit: Pick<AuditLog, 'add'>;
  clock: Clock;
}

/** Pages that are removed in one transaction: others wait for no more than these. */
const SLICE = 25;
/** Pages that one request deletes; the answer says if there are more. */
const MAX_PAGES = 10_000;

export async function deletePages(
  deps: DeletePagesDeps,
  caller: Caller,
  { url: texts = [], host }: DeletePagesQuery,
): Promise<DeletePagesResponse> {
  if (texts.length > 0 === (host !== undefined)) throw new ServiceError('BAD_REQUEST', { message: ONE_OF_BOTH });
  const { team } = caller;
  const removable = { owners: deps.sharing.removableBy(team.id, isOperator(caller)), teamId: team.id };
  const urls = texts.map((text, index) => normaliseUrl(givenUrl(text, ['url', index])));
  const removed =
    host === undefined
      ? await deleteUrls(deps, urls, removable)
      : await deleteHost(deps, givenHost(host), removable, caller.signal);
  if (removed.pages > 0) {
    deps.indexer.wake();
    await deps.audit.add({
      ...{ ...actorOf(caller, deps), teamId: team.id, action: 'pages.deleted', target: host ?? urls[0]! },
      details: { pages: removed.pages },
    });
    // Removes results that nothing refers to any more.
    await deps.pages.sweep(deps.clock.now());
  }
  const { hasMore, ...counts } = removed;
  const shared = !hasMore && (await isStillThere(deps, caller, urls, host));
  return { success: true, data: { ...counts, shared, has_more: hasMore } };
}

const ONE_OF_BOTH = 'Say what to delete: either `url`, which can be repeated, or `host`.';

type Removed = RemovedPages & { hasMore: boolean };

async function deleteUrls({ stored }: DeletePagesDeps, urls: string[], removable: Removable): Promise<Removed> {
  const total: Removed = { pages: 0, copies: 0, versions: 0, hasMore: false };
  for (let at = 0; at < urls.length; at += SLICE) {
    add(total, await stored.remove(urls.slice(at, at + SLICE), removable));
  }
  return total;
}

/** One pass over the URLs in their order: what a running crawl stores behind it stays. */
async function deleteHost(
  { stored }: DeletePagesDeps,
  host: string,
  removable: Removable,
  signal: AbortSignal,
): Promise<Removed> {
  const total: Removed = { pages: 0, copies: 0, versions: 0, hasMore: false };
  let after: string | undefined = '';
  while (after !== undefined && total.pages < MAX_PAGES) {
    signal.throwIfAborted();
    const { next, ...removed }: RemovedPages & { next?: string } = await stored.removeOfHost(
      ...([host, removable, after, SLICE] as const),
    );
    add(total, removed);
    after = next;
  }
  return { ...total, hasMore: after !== undefined };
}

function add(total: RemovedPages, { pages, copies, versions }: RemovedPages): void {
  total.pages += pages;
  total.copies += copies;
  total.versions += versions;
}

/** Whether the team still sees some of the pages: others share them. */
async function isStillThere(
  { stored, sharing }: DeletePagesDeps,
  { team }: Caller,
  urls: string[],
  host: string | undefined,
): Promise<boolean> {
  const viewer = sharing.viewerOf(team.id);
  if (host !== undefined) {
    const { pages } = await stored.list({ viewer, teamId: team.id, seesAll: false, host: givenHost(host), limit: 1 });
    return pages.some(({ isShared }) => isShared);
  }
  for (const url of urls) {
    if ((await stored.find(url, viewer, team.id))?.isShared) return true;
  }
  return false;
}

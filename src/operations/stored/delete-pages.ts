// Deletes pages from the cache, from the index and from collections, with the versions that the team tracks. A host is deleted in slices, so
// that other calls run in between; each page goes as a whole.

import { ServiceError } from '../../contracts/errors/errors.ts';
import type { DeletePagesResponse } from '../../contracts/search/stored-pages.ts';
import { auditTarget } from '../../contracts/team/audit-target.ts';
import type { Indexer } from '../../jobs/indexer.ts';
import type { PageSharing } from '../../page/page-owner.ts';
import type { ArchiveStore } from '../../store/ports/files/archive-store.ts';
import type { PageStore } from '../../store/ports/pages/page-store.ts';
import type { Removable, RemovedPages, StoredPages } from '../../store/ports/pages/stored-pages.ts';
import type { AuditLog } from '../../store/ports/teams/audit-log.ts';
import { normaliseUrl } from '../../urls/url.ts';
import type { Clock } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { SiteMemories } from '../page/siblings/site-memories.ts';
import { givenUrl } from '../page/target-url.ts';
import { actorOf } from '../team/manage-keys.ts';
import { isOperator } from '../team/operator.ts';
import { givenHost } from './stored-pages.ts';

export interface DeletePagesDeps {
  stored: StoredPages;
  pages: Pick<PageStore, 'sweep'>;
  archives: Pick<ArchiveStore, 'removeUrls' | 'removeHost'>;
  sharing: PageSharing;
  siteMemories: Pick<SiteMemories, 'forget'>;
  indexer: Pick<Indexer, 'wake' | 'caughtUp'>;
  audit: Pick<AuditLog, 'addAll'>;
  clock: Clock;
}

/** Pages that are removed in one transaction: others wait for no more than these. */
const SLICE = 25;
/** Pages that one request deletes; the answer says if there are more. */
const MAX_PAGES = 10_000;

export async function deletePages(
  deps: DeletePagesDeps,
  { caller, query }: Call<'deletePages'>,
): Promise<DeletePagesResponse> {
  const { url: texts = [], host } = query;
  if (texts.length > 0 === (host !== undefined)) throw new ServiceError('BAD_REQUEST', { message: ONE_OF_BOTH });
  const { team } = caller;
  const removable = {
    owners: deps.sharing.removableBy(team.id, isOperator(caller)),
    teamId: team.id,
    now: deps.clock.now(),
  };
  const urls = texts.map((text, index) => normaliseUrl(givenUrl(text, ['url', index])));
  const removed: Removed = { pages: 0, copies: 0, versions: 0, archived: 0, hasMore: false };
  const byHost = new Map<string, number>();
  const count = (of: string, slice: RemovedPages) => {
    add(removed, slice);
    byHost.set(of, (byHost.get(of) ?? 0) + slice.pages);
  };
  try {
    removed.archived = await deleteArchived(deps, team.id, urls, host);
    if (host === undefined) await deleteUrls(deps, urls, removable, count);
    else
      removed.hasMore = await deleteHost(deps, givenHost(host), removable, { removed, count, signal: caller.signal });
  } finally {
    // Also if the caller has left in the middle: what is gone by then is gone.
    if (removed.pages > 0 || removed.archived > 0) await finish(deps, caller, byHost);
  }
  // Who deletes a page may look at once whether a search still finds it.
  if (removed.pages > 0) await deps.indexer.caughtUp(caller.signal);
  const { hasMore, ...counts } = removed;
  const shared = !hasMore && (await isStillThere(deps, caller, urls, host));
  return { success: true, data: { ...counts, shared, has_more: hasMore } };
}

const ONE_OF_BOTH = 'Say what to delete: either `url`, which can be repeated, or `host`.';

type Removed = RemovedPages & { archived: number; hasMore: boolean };
type Count = (host: string, slice: RemovedPages) => void;

async function finish(
  { indexer, audit, pages: cache, clock }: DeletePagesDeps,
  caller: Caller,
  byHost: ReadonlyMap<string, number>,
): Promise<void> {
  indexer.wake();
  const entry = { ...actorOf(caller, { clock }), teamId: caller.team.id, action: 'pages.deleted' } as const;
  const deleted = [...byHost].filter(([, pages]) => pages > 0);
  await audit.addAll(
    deleted.map(([host, pages]) => ({ ...entry, target: auditTarget(`http://${host}/`), details: { pages } })),
  );
  // Removes results that nothing refers to any more.
  await cache.sweep(clock.now());
}

const deleteArchived = (
  { archives }: DeletePagesDeps,
  teamId: string,
  urls: readonly string[],
  host: string | undefined,
): Promise<number> =>
  host === undefined ? archives.removeUrls(teamId, urls) : archives.removeHost(teamId, givenHost(host));

async function deleteUrls(
  { stored, siteMemories }: DeletePagesDeps,
  urls: string[],
  removable: Removable,
  count: Count,
): Promise<void> {
  for (const [host, some] of Map.groupBy(urls, (url) => new URL(url).host)) {
    await siteMemories.forget(host);
    for (let at = 0; at < some.length; at += SLICE) {
      count(host, await stored.remove(some.slice(at, at + SLICE), removable));
    }
  }
}

/**
 * One pass over the URLs in their order: what a running crawl stores behind it stays. Returns whether there are more than one
 * request deletes.
 */
async function deleteHost(
  { stored, siteMemories }: DeletePagesDeps,
  host: string,
  removable: Removable,
  { removed, count, signal }: { removed: Removed; count: Count; signal: AbortSignal },
): Promise<boolean> {
  await siteMemories.forget(host);
  let after: string | undefined = '';
  while (after !== undefined && removed.pages < MAX_PAGES) {
    signal.throwIfAborted();
    const { next, ...slice }: RemovedPages & { next?: string } = await stored.removeOfHost(
      ...([host, removable, after, SLICE] as const),
    );
    count(host, slice);
    after = next;
  }
  return after !== undefined;
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

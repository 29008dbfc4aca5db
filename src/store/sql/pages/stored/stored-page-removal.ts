// Removes pages as a whole: cached copies with their results, entries in the index, the versions of tracked pages, and members of collections; and what
// is remembered of their sites: what they have in common, programs that select values from them, and vectors of their chunks.
import { siteOfHost } from '../../../../page/site-memory.ts';
import type { Removable, RemovedPages, StoredPages } from '../../../ports/pages/stored-pages.ts';
import type { MemberRemoval } from '../../collections/member-removal.ts';
import type { Database, Tx } from '../../database.ts';
import type { ProgramRows } from '../../teams/programs.ts';
import type { CachedPageRows } from '../cache/cached-page-rows.ts';
import type { ChunkVectorRows } from '../chunk-vector-rows.ts';
import type { HistoryRows } from '../history-rows.ts';
import type { SiteMemoryRows } from '../site-memory-rows.ts';
import type { FindUrls } from './stored-urls.ts';

interface Deps {
  database: Pick<Database, 'transaction'>;
  pages: Pick<CachedPageRows, 'removeUrl'>;
  history: Pick<HistoryRows, 'removeUrl'>;
  members: MemberRemoval;
  sites: Pick<SiteMemoryRows, 'removeSite'>;
  programs: Pick<ProgramRows, 'removeSite'>;
  chunkVectors: Pick<ChunkVectorRows, 'removeSite'>;
  findUrls: FindUrls;
}

export function createStoredPageRemoval(deps: Deps): Pick<StoredPages, 'remove' | 'removeOfHost'> {
  const { database, pages, history, members, sites, programs, chunkVectors, findUrls } = deps;

  const removeUrl = async (tx: Tx, url: string, { owners, teamId, now }: Removable, withTargets: boolean) => {
    const removed = {
      ...{ copies: 0, entries: 0, versions: await history.removeUrl(tx, teamId, url) },
      members: await members.removeUrl(tx, teamId, url, now),
    };
    for (const owner of owners) {
      const { copies, entries } = await pages.removeUrl(tx, url, owner, withTargets);
      removed.copies += copies;
      removed.entries += entries;
    }
    return removed;
  };

  /** Each page in a transaction of its own: others wait for no more than that. */
  const removeUrls = async (
    urls: readonly string[],
    removable: Removable,
    withTargets: boolean,
    hosts = urls.map((url) => new URL(url).host),
  ): Promise<RemovedPages> => {
    const removed: RemovedPages = { pages: 0, copies: 0, versions: 0 };
    for (const url of urls) {
      const { copies, entries, versions, members } = await database.transaction((tx) =>
        removeUrl(tx, url, removable, withTargets),
      );
      removed.copies += copies;
      removed.versions += versions;
      if (copies + entries + versions + members > 0) removed.pages += 1;
    }
    for (const site of new Set(hosts.map(siteOfHost))) {
      await sites.removeSite(removable.owners, site);
      await programs.removeSite(removable.teamId, site);
      await chunkVectors.removeSite(removable.teamId, site);
    }
    return removed;
  };

  return {
    remove: (urls, removable) => removeUrls(urls, removable, true),
    async removeOfHost(host, removable, after, limit) {
      const found = await findUrls({ ...removable, host, after, limit, seesAll: true, withRedirects: true });
      const urls = found.urls.slice(0, limit);
      const removed = await removeUrls(urls, removable, false, [host]);
      const next = urls.length < found.urls.length ? urls.at(-1) : found.end;
      return { ...removed, ...(next !== undefined && { next }) };
    },
  };
}

// Removes pages as a whole: cached copies with their results, entries in the index, and the versions of tracked pages.
import type { Connection } from '../../../util/sqlite.ts';
import type { Removable, RemovedPages, StoredPages } from '../../stored-pages.ts';
import type { CachedPageRows } from '../cached-page-rows.ts';
import type { HistoryRows } from '../history-rows.ts';
import type { Served } from '../served.ts';
import type { FindUrls } from './stored-urls.ts';

interface Deps {
  connection: Connection;
  pages: Pick<CachedPageRows, 'removeUrl'>;
  history: Pick<HistoryRows, 'removeUrl'>;
  findUrls: FindUrls;
}

export function createStoredPageRemoval(deps: Deps): Pick<Served<StoredPages>, 'remove' | 'removeOfHost'> {
  const { connection, pages, history, findUrls } = deps;

  const removeUrls = (urls: readonly string[], { owners, teamId }: Removable, withTargets: boolean): RemovedPages => {
    const removed: RemovedPages = { pages: 0, copies: 0, versions: 0 };
    for (const url of urls) {
      const parts = owners.map((owner) => pages.removeUrl(url, owner, withTargets));
      const copies = parts.reduce((sum, part) => sum + part.copies, 0);
      const entries = parts.reduce((sum, part) => sum + part.entries, 0);
      const versions = history.removeUrl(teamId, url);
      removed.copies += copies;
      removed.versions += versions;
      if (copies + entries + versions > 0) removed.pages += 1;
    }
    return removed;
  };

  return {
    remove: (urls, removable) => connection.transaction(() => removeUrls(urls, removable, true)),
    removeOfHost(host, removable, after, limit) {
      const found = findUrls({ ...removable, host, after, limit, seesAll: true, withRedirects: true });
      const urls = found.urls.slice(0, limit);
      const removed = connection.transaction(() => removeUrls(urls, removable, false));
      const next = urls.length < found.urls.length ? urls.at(-1) : found.end;
      return { ...removed, ...(next !== undefined && { next }) };
    },
  };
}

// Binds what looks at stored pages and deletes them. It is loaded with the first request, to keep an idle service small.

import type { STORED_PAGE_ROUTES } from '../../../contracts/stored-page-routes.ts';
import type { Operations } from '../../../operations/call.ts';
import type { DeletePagesDeps } from '../../../operations/stored/delete-pages.ts';
import type { PageVersionsDeps } from '../../../operations/stored/page-versions.ts';

export type StoredPageDeps = DeletePagesDeps & PageVersionsDeps;

export function bindStoredPages(deps: StoredPageDeps): Pick<Operations, keyof typeof STORED_PAGE_ROUTES> {
  const pages = () => import('../../../operations/stored/stored-pages.ts');
  const versions = () => import('../../../operations/stored/page-versions.ts');
  return {
    listHosts: async ({ caller, query }) => (await pages()).listHosts(deps, caller, query),
    listPages: async ({ caller, query }) => (await pages()).listPages(deps, caller, query),
    getPage: async ({ caller, query }) => (await pages()).getPage(deps, caller, query.url),
    pageVersions: async ({ caller, query }) => (await versions()).pageVersions(deps, caller, query.url),
    pageDiff: async ({ caller, query }) => (await versions()).pageDiff(deps, caller, query),
    deletePages: async ({ caller, query }) =>
      (await import('../../../operations/stored/delete-pages.ts')).deletePages(deps, caller, query),
  };
}

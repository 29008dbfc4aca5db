// Binds searches: of everything, and of the own index alone. They are loaded with the first request, to keep an idle
// service small.

import type { SEARCH_ROUTES } from '../../../contracts/search-routes.ts';
import type { Operations } from '../../../operations/call.ts';
import type { IndexSearchDeps } from '../../../operations/search/index-search/index-search.ts';
import type { SearchDeps } from '../../../operations/search/search.ts';
import { lazy } from '../../../util/lazy.ts';

export function bindSearch(deps: SearchDeps & IndexSearchDeps): Pick<Operations, keyof typeof SEARCH_ROUTES> {
  const indexSearch = lazy(async () =>
    (await import('../../../operations/search/index-search/index-search.ts')).createIndexSearch(deps),
  );
  return {
    search: async ({ caller, body, baseUrl }) =>
      (await import('../../../operations/search/search.ts')).search(deps, caller, body, baseUrl),
    searchIndex: async ({ caller, body }) => (await indexSearch())(caller, body),
  };
}

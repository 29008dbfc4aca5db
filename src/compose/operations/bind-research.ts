// Binds the searches for papers, code and documentation. They are loaded with the first request, to keep an idle service small.

import type { DeveloperRequest } from '../../contracts/developer.ts';
import type { RESEARCH_ROUTES } from '../../contracts/research-routes.ts';
import type { Call, Operations } from '../../operations/call.ts';
import type { Caller } from '../../operations/caller.ts';
import type { DeveloperDeps } from '../../operations/research/developer.ts';
import type { ReadPaperDeps } from '../../operations/research/get-paper.ts';

export function bindResearch(deps: DeveloperDeps & ReadPaperDeps): Pick<Operations, keyof typeof RESEARCH_ROUTES> {
  const searchCode = async (caller: Caller, request: DeveloperRequest) =>
    (await import('../../operations/research/developer.ts')).developerSearch(deps, caller, request);
  const developer = ({ caller, query }: Call<'developerSearch' | 'developerSearchAlias'>) => searchCode(caller, query);
  const developerByPost = ({ caller, body }: Call<'developerSearchByPost' | 'developerSearchAliasByPost'>) =>
    searchCode(caller, body);

  return {
    searchPapers: async ({ caller, query }) =>
      (await import('../../operations/research/papers.ts')).searchPapers(deps, caller, query),
    getPaper: async ({ caller, params, query, baseUrl }) =>
      (await import('../../operations/research/get-paper.ts')).getPaper(deps, caller, params.id, query, baseUrl),
    similarPapers: async ({ caller, params, query }) =>
      (await import('../../operations/research/similar-papers.ts')).similarPapers(deps, caller, params.id, query),
    searchGithub: async ({ caller, query }) =>
      (await import('../../operations/research/github.ts')).searchGithub(deps, caller, query),
    developerSearch: developer,
    developerSearchByPost: developerByPost,
    developerSearchAlias: developer,
    developerSearchAliasByPost: developerByPost,
  };
}

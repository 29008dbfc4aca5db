// Searches papers: all catalogues at once, filters enforced on what they return, records of the same paper merged.
import type { Paper } from '../../contracts/search/paper.ts';
import type { SearchPapersQuery, SearchPapersResponse } from '../../contracts/search/research.ts';
import type { TimeRange } from '../../contracts/search/search-query.ts';
import { fusePapers } from '../../search/papers/fuse-papers.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { type AskDeps, askPapers, CATALOGUES, paperResult, silenceOf } from './ask-papers.ts';
import { type BillingDeps, type BillResults, billed, inSlot } from './billing.ts';

export type PapersDeps = AskDeps & BillingDeps;

const DAY_MS = 86_400_000;
/** Only arXiv names the subjects of its papers as it does. */
const WITH_CATEGORIES = ['arxiv'] as const;

export const searchPapers = (
  deps: PapersDeps,
  { caller, query }: Call<'searchPapers'>,
): Promise<SearchPapersResponse> => billed(deps, caller, query.k, (bill) => findPapers(deps, caller, query, bill));

async function findPapers(
  deps: PapersDeps,
  caller: Caller,
  request: SearchPapersQuery,
  bill: BillResults,
): Promise<SearchPapersResponse> {
  const { query, k, offset, authors, categories } = request;
  const { list, runs } = await inSlot(deps, caller, (signal) =>
    askPapers(
      deps,
      {
        text: query,
        filter: { authors, categories },
        time: timeOf(request),
        wanted: offset + k,
        among: categories.length > 0 ? WITH_CATEGORIES : CATALOGUES,
        rejectionOf: (paper) => rejectionOf(paper, request),
      },
      signal,
    ),
  );
  const results = fusePapers(list, offset + k)
    .slice(offset)
    .map(paperResult);
  const warning = silenceOf(runs);
  return {
    success: true,
    results,
    creditsUsed: await bill({ target: query, results: results.length }),
    ...(warning !== undefined && { warning }),
  };
}

function timeOf({ from, to }: SearchPapersQuery): TimeRange | undefined {
  if (from === undefined && to === undefined) return undefined;
  return {
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { until: Date.parse(to) + DAY_MS }),
  };
}

function rejectionOf(paper: Paper, { authors, categories, from, to }: SearchPapersQuery): string | undefined {
  const names = paper.authors.map((name) => name.toLowerCase());
  if (!authors.every((part) => names.some((name) => name.includes(part.toLowerCase())))) return 'by other authors';
  const subjects = paper.categories.map((name) => name.toLowerCase());
  if (!categories.every((name) => subjects.includes(name.toLowerCase()))) return 'of other categories';
  // Days in ISO form are in the order of time. What a catalogue has not dated, it has filtered itself.
  const days = [paper.created, paper.updated].filter((day) => day !== undefined);
  const isInTime = (day: string) => (from === undefined || day >= from) && (to === undefined || day <= to);
  return days.length === 0 || days.some(isInTime) ? undefined : 'of another time';
}

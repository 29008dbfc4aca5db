// Papers related to given ones, by the citations that OpenAlex knows, ranked by what the caller is looking for.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Paper } from '../../contracts/search/paper.ts';
import type { SimilarPapersQuery, SimilarPapersResponse } from '../../contracts/search/research.ts';
import type { ProviderRun } from '../../search/federation/provider-run.ts';
import { type FusedPaper, fusePapers, type PaperList } from '../../search/papers/fuse-papers.ts';
import { relevances } from '../../search/relevance.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { askPapers, findPaper, paperResult, rounded, silenceOf } from './ask-papers.ts';
import { type BillResults, billed, inSlot } from './billing.ts';
import { needRef } from './get-paper.ts';
import type { PapersDeps } from './papers.ts';

/** Candidates per given paper: more than are returned, because they are ranked here. */
const MIN_POOL = 200;
const MAX_POOL = 5_000;
const WEIGHTS = { semantic: 0.6, overlap: 0.25, rank: 0.15 };
const NO_CITATIONS = 'OpenAlex, which knows the citations, does not have this paper yet.';
const NO_RELATED = 'OpenAlex knows no such papers. Try another `mode`.';

export const similarPapers = (
  deps: PapersDeps,
  { caller, params, query }: Call<'similarPapers'>,
): Promise<SimilarPapersResponse> =>
  billed(deps, caller, query.k, (bill) => findSimilar(deps, caller, params.id, query, bill));

async function findSimilar(
  deps: PapersDeps,
  caller: Caller,
  id: string,
  request: SimilarPapersQuery,
  bill: BillResults,
): Promise<SimilarPapersResponse> {
  const refs = [id, ...request.anchor].map(needRef);
  const { seeds, lists, runs, warnings } = await inSlot(deps, caller, async (signal) => {
    const found = await Promise.allSettled(refs.map((ref) => findPaper(deps, ref, signal)));
    const [first] = found;
    if (first?.status === 'rejected') throw first.reason;
    const known = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const missing = found.flatMap((one) => (one.status === 'rejected' ? [messageOf(one.reason)] : []));
    const related = await Promise.all(known.map(({ paper }) => relatedTo(deps, paper, request, signal)));
    return {
      seeds: known.map(({ paper }) => paper),
      lists: related.flatMap(({ list }) => list),
      runs: related.flatMap((one) => one.runs),
      warnings: [...missing, ...known.flatMap(({ warning }) => warning ?? [])],
    };
  });
  const pool = fusePapers(lists, MAX_POOL).filter(({ paper }) => !seeds.some((seed) => isSame(seed, paper)));
  const results = rank(pool, request, seeds.length).slice(0, request.k);
  const notes = [...new Set([...warnings, silenceOf(runs)])].filter((note) => note !== undefined);
  const isKnown = seeds.some(({ ids }) => ids.openalex !== undefined);
  return {
    success: true,
    results,
    poolSize: pool.length,
    truncated: pool.length > results.length,
    ...(results.length === 0 && { note: isKnown ? NO_RELATED : NO_CITATIONS }),
    creditsUsed: await bill({ target: id, results: results.length }),
    ...(notes.length > 0 && { warning: notes.join(' ') }),
  };
}

async function relatedTo(
  deps: PapersDeps,
  { ids: { openalex: work } }: Paper,
  { mode, k }: SimilarPapersQuery,
  signal: AbortSignal,
): Promise<{ list: PaperList[]; runs: ProviderRun[] }> {
  if (work === undefined) return { list: [], runs: [] };
  const { list, runs } = await askPapers(
    deps,
    { text: '', filter: { relation: { mode, work } }, wanted: Math.max(MIN_POOL, k), among: ['openalex'] },
    signal,
  );
  // Lists are told apart by the paper they belong to.
  return { list: list.map(({ items }) => ({ provider: work, items })), runs };
}

function rank(
  pool: FusedPaper[],
  { intent, rerank }: SimilarPapersQuery,
  seeds: number,
): SimilarPapersResponse['results'] {
  const fits = relevances(
    intent,
    pool.map(({ paper }) => `${paper.title}\n${paper.abstract}`),
  );
  const most = Math.log1p(Math.max(0, ...pool.map(({ paper }) => paper.citations ?? 0))) || 1;
  const ranked = pool.map(({ paper, providers }, index) => {
    const semantic = fits[index]!;
    const articleRank = Math.log1p(paper.citations ?? 0) / most;
    const overlap = providers.length / seeds;
    const { semantic: byIntent, overlap: byOverlap, rank: byRank } = WEIGHTS;
    return {
      ...paperResult({
        paper,
        score: rerank ? semantic : byIntent * semantic + byOverlap * overlap + byRank * articleRank,
      }),
      signals: {
        structural: providers.length,
        semantic: rounded(semantic),
        articleRank: rounded(articleRank),
        seedOverlap: providers.length,
      },
    };
  });
  return ranked.sort((a, b) => b.score - a.score);
}

const isSame = (a: Paper, b: Paper): boolean =>
  Object.entries(a.ids).some(([namespace, value]) => b.ids[namespace as keyof Paper['ids']] === value);

function messageOf(error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  throw error;
}

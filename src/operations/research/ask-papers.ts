// Asks the catalogues of papers, through the same federation as any search, and makes one list of what they found.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Paper, PaperFilter, PaperNamespace, PaperRef } from '../../contracts/search/paper.ts';
import type { PaperMetadata, PaperResult } from '../../contracts/search/research.ts';
import { NO_CONDITIONS, type Query, type TimeRange } from '../../contracts/search/search-query.ts';
import { SHARED } from '../../page/page-owner.ts';
import type { Federation } from '../../search/federation/federation.ts';
import { type ProviderRun, warningOf } from '../../search/federation/provider-run.ts';
import { type FusedPaper, fusePapers, type PaperList } from '../../search/papers/fuse-papers.ts';
import { paperIdOf, primaryIdOf } from '../../search/papers/paper-id.ts';
import type { ProviderName } from '../../search/providers/provider-names.ts';
import { parseQuery } from '../../search/query/query.ts';
import type { Clock } from '../../util/clock.ts';

export interface AskDeps {
  providers: Federation;
  clock: Clock;
}

export interface PaperQuestion {
  /** Plain words; '' if the filter says it all. */
  text: string;
  filter: PaperFilter;
  time?: TimeRange;
  wanted: number;
  among: readonly ProviderName[];
  rejectionOf?(paper: Paper): string | undefined;
}

export interface FoundPapers {
  list: PaperList[];
  runs: ProviderRun[];
}

export const CATALOGUES: readonly ProviderName[] = ['openalex', 'arxiv', 'crossref', 'pubmed'];

/** Who can look up ids of each kind. */
const EXPERTS: Readonly<Record<PaperNamespace, readonly ProviderName[]>> = {
  arxiv: ['arxiv', 'openalex'],
  doi: ['openalex', 'crossref'],
  pmid: ['pubmed', 'openalex'],
  pmcid: ['openalex', 'pubmed'],
  openalex: ['openalex'],
};

/** Rejects with SOURCES_UNAVAILABLE if nobody answered. */
export async function askPapers(
  { providers, clock }: AskDeps,
  { text, filter, time, wanted, among, rejectionOf }: PaperQuestion,
  signal: AbortSignal,
): Promise<FoundPapers> {
  const runs = await providers.ask(
    {
      query: plainQuery(text),
      conditions: { ...NO_CONDITIONS, categories: ['research'], papers: filter, ...(time && { time }) },
      source: 'web',
      now: clock.now(),
      wanted,
      rejectionOf: ({ paper }) => (paper ? rejectionOf?.(paper) : 'not a paper'),
      // Catalogues are public, and nothing in the answer shows who asked before.
      retainFor: SHARED,
      among,
    },
    signal,
  );
  needAnswer(runs, among);
  const list = runs.map(({ provider, kept }) => ({
    provider,
    items: kept.flatMap(({ result: { paper }, rank }) => (paper ? [{ result: paper, rank }] : [])),
  }));
  return { list, runs };
}

/** Operators of a web search make no sense for papers. */
function plainQuery(text: string): Query {
  const query = parseQuery(text);
  const clauses = query.clauses.filter(({ kind }) => kind === 'word' || kind === 'phrase');
  return { ...query, clauses };
}

/** A source that refuses a question has answered it: it does not know what was asked for. */
export const hasAnswered = ({ state, kept, problemKind }: ProviderRun): boolean =>
  state === 'answered' || kept.length > 0 || problemKind === 'refused';

export function needAnswer(runs: readonly ProviderRun[], among: readonly ProviderName[]): void {
  if (runs.some(hasAnswered)) return;
  const message =
    runs.length > 0
      ? `${warningOf(runs)} Try again later, or give the sources more time (TRAWL_PROVIDER_TIMEOUT_MS).`
      : `No source may be asked for this: it needs one of ${among.join(', ')}. Set TRAWL_KEYLESS_PROVIDERS=on, and name one of them if TRAWL_SEARCH_PROVIDERS is set.`;
  throw new ServiceError('SOURCES_UNAVAILABLE', { message });
}

/** Undefined if all sources answered. */
export const silenceOf = (runs: readonly ProviderRun[]): string | undefined =>
  warningOf(runs.filter((run) => !hasAnswered(run) || run.state === 'timed-out'));

/** Everything that the catalogues know about one paper. Rejects with PAPER_NOT_FOUND if none knows it. */
export async function findPaper(
  deps: AskDeps,
  ref: PaperRef,
  signal: AbortSignal,
): Promise<{ paper: Paper; warning?: string }> {
  const among = EXPERTS[ref.namespace];
  const { list, runs } = await askPapers(deps, { text: '', filter: { ref }, wanted: 1, among }, signal);
  const [found] = fusePapers(list, 1);
  const warning = silenceOf(runs);
  if (found) return { paper: found.paper, ...(warning !== undefined && { warning }) };
  const name = `${ref.namespace}:${ref.value}`;
  // Somebody who did not answer may know it.
  if (warning !== undefined)
    throw new ServiceError('SOURCES_UNAVAILABLE', { message: `${name} was not found. ${warning}` });
  throw new ServiceError('PAPER_NOT_FOUND', { message: `No catalogue knows a paper ${name}. Check the id.` });
}

export const paperMetadata = ({
  ids,
  title,
  abstract,
  authors,
  categories,
  created,
  updated,
}: Paper): PaperMetadata => ({
  paperId: paperIdOf(ids),
  ids: Object.fromEntries(Object.entries(ids).map(([namespace, value]) => [namespace, [value]])),
  title,
  abstract,
  ...(authors.length > 0 && { authors: authors.join(', ') }),
  ...(categories.length > 0 && { categories }),
  ...(created !== undefined && { createdDate: created }),
  ...(updated !== undefined && { updateDate: updated }),
});

export const paperResult = ({ paper, score }: Pick<FusedPaper, 'paper' | 'score'>): PaperResult => ({
  ...paperMetadata(paper),
  primaryId: primaryIdOf(paper.ids),
  score: rounded(score),
});

export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

// Queries the own index like a provider, and checks each hit against the query and its conditions.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { SearchRequest } from '../../contracts/search/search.ts';
import { type Conditions, namesHosts, type Query, type Source } from '../../contracts/search/search-query.ts';
import type { Manual } from '../../fetch/manual.ts';
import type { ImageHit, IndexSearch, PageHit, PageIndex, VisiblePages } from '../../index/page-index.ts';
import type { Indexer } from '../../jobs/indexer.ts';
import type { Log } from '../../runtime/log.ts';
import type { ProviderRun } from '../../search/federation/provider-run.ts';
import type { RankedList } from '../../search/fuse.ts';
import type { Match } from '../../search/match/match.ts';
import type { ResultCandidate } from '../../search/match/visible-result.ts';
import { INDEX_NAME } from '../../search/providers/provider-names.ts';
import { raceAbort } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import type { QueryMeanings } from './meaning/query-meanings.ts';
import type { AskedSource } from './search-request.ts';

export interface IndexDeps {
  index: PageIndex;
  indexer: Pick<Indexer, 'refresh' | 'wake'>;
  meanings: Pick<QueryMeanings, 'of' | 'nearness'>;
  /** Resolves once the manual is indexed after a first start, or indexing it takes too long. */
  manualIndexed(): Promise<void>;
  manual: Pick<Manual, 'has' | 'urls'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
}

/** A page with at most this share of the query's words is a weak match. */
const WEAK_COVERAGE = 0.5;
/** Weak matches rank behind the providers' results: a small index always finds something. */
const WEAK_WEIGHT = 0.3;
/** More than the manual has chapters, which may fill the list of the index. */
const MANUAL_ROOM = 40;
const NOT_ASKED_FOR = 'a chapter of the manual, which answers only searches that name its host';

interface Hit {
  result: ResultCandidate;
  rank: number;
  coverage: number;
}

export interface OwnAnswer {
  run: ProviderRun;
  /** Good matches, then weak ones. */
  lists: [RankedList<ResultCandidate>, RankedList<ResultCandidate>];
  /** Another query, if a word of this one looks like a typing mistake. */
  suggestion?: string;
}

export async function askIndex(
  deps: IndexDeps,
  team: string,
  visible: VisiblePages,
  { limit, highlights }: SearchRequest,
  query: Query,
  { source, conditions }: AskedSource,
  keep: Match,
  signal: AbortSignal,
): Promise<OwnAnswer> {
  const { index, indexer, clock, log } = deps;
  const began = performance.now();
  const kept: Hit[] = [];
  const isUnasked = namesHosts(query, conditions)
    ? () => false
    : ({ result }: Pick<Hit, 'result'>) => deps.manual.has(new URL(result.url));
  const run: ProviderRun = {
    provider: INDEX_NAME,
    label: 'the own index',
    isConfigured: true,
    clauses: [],
    state: 'answered',
    kept,
    dropped: [],
    ms: 0,
    requests: 1,
  };
  let suggestion: string | null = null;
  try {
    await raceAbort(deps.manualIndexed(), signal);
    await indexer.refresh(signal);
    const vector = source === 'images' ? undefined : await deps.meanings.of(query, { team: { id: team }, signal });
    const meaning = vector && { vector, isAlone: false };
    const search = { ...visible, query, conditions, limit, highlights, now: clock.now(), meaning };
    const first = await hitsOf(index, source, search);
    const isCrowded = first.length === limit && first.some(isUnasked);
    const hits = isCrowded ? await hitsOf(index, source, { ...search, limit: limit + MANUAL_ROOM }) : first;
    for (const [position, { result, coverage }] of hits.entries()) {
      const rank = position + 1;
      const reason = isUnasked({ result }) ? NOT_ASKED_FOR : keep(result, 'index');
      if (reason === undefined) kept.push({ result, rank, coverage });
      else run.dropped.push({ url: result.url, rank, reason });
    }
    // A page with all words says that they are meant.
    if (source === 'web' && kept.every(({ coverage }) => coverage < 1)) {
      const setApart = namesHosts(query, conditions) ? [] : await deps.manual.urls();
      suggestion = await index.suggest({ ...visible, query, conditions, setApart, now: clock.now() });
    }
  } catch (error) {
    signal.throwIfAborted();
    // A damaged index is rebuilt with the next changes; until then the providers have to suffice.
    log.error({ err: error }, 'index search failed');
    const isAway = error instanceof ServiceError && error.code === 'INDEX_UNAVAILABLE';
    const [problem, problemKind] = isAway ? ['it cannot be reached', 'down'] : ['it could not be read', 'malformed'];
    Object.assign(run, { state: 'failed', problem, problemKind });
    indexer.wake();
  }
  run.ms = performance.now() - began;
  const [answers, others] = [kept.filter(isAnswer), kept.filter((hit) => !isAnswer(hit))];
  return {
    lists: [
      { provider: INDEX_NAME, items: answers },
      { provider: INDEX_NAME, items: others, weight: WEAK_WEIGHT },
    ],
    run,
    ...(suggestion !== null && { suggestion }),
  };
}

/** Whether the index has pages of the site, without which it cannot tell what is related to it. */
export async function knowsSite(
  { index, clock }: IndexDeps,
  visible: VisiblePages,
  host: string,
  conditions: Conditions,
): Promise<boolean> {
  const query: Query = { text: '', clauses: [{ kind: 'site', host, path: '', negated: false }] };
  const { country, language } = conditions;
  const anywhere = { country, language, sortByDate: false, includeDomains: [], excludeDomains: [], categories: [] };
  const search = { ...visible, query, conditions: anywhere, limit: 1, highlights: false, now: clock.now() };
  return (await index.web(search)).length > 0;
}

const isAnswer = ({ coverage }: Hit): boolean => coverage > WEAK_COVERAGE;

async function hitsOf(index: PageIndex, source: Source, search: IndexSearch): Promise<Omit<Hit, 'rank'>[]> {
  if (source === 'images') {
    const images = await index.images(search);
    return images.map((image) => ({ result: imageResult(image), coverage: 1 }));
  }
  const pages = await index[source](search);
  return pages.map((page) => ({ result: pageResult(page), coverage: page.coverage }));
}

const pageResult = ({ imageUrl, isVerified, ...hit }: PageHit): ResultCandidate => ({
  url: hit.url,
  title: hit.title,
  description: hit.highlight ?? hit.description,
  date: hit.date,
  fileType: hit.fileType,
  ...(imageUrl !== undefined && { imageUrl }),
  ...(!isVerified && { isUnverified: true }),
});

const imageResult = ({ url, title, imageUrl, width, height, isVerified }: ImageHit): ResultCandidate => ({
  url,
  title,
  description: '',
  imageUrl,
  ...(width !== undefined && { imageWidth: width }),
  ...(height !== undefined && { imageHeight: height }),
  ...(!isVerified && { isUnverified: true }),
});

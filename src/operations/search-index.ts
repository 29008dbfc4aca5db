// The own index, asked like a provider: what it has becomes results, and each is held against the query once more.
import type { SearchRequest } from '../contracts/search.ts';
import type { Query, Source } from '../contracts/search-query.ts';
import type { Indexer } from '../jobs/indexer.ts';
import type { RankedList } from '../search/fuse.ts';
import type { Candidate, Match } from '../search/match.ts';
import { INDEX_NAME } from '../search/provider-names.ts';
import type { ProviderRun } from '../search/provider-run.ts';
import type { ImageHit, IndexSearch, PageHit, PageIndex } from '../store/page-index.ts';
import type { Clock } from '../util/clock.ts';
import type { Log } from '../util/log.ts';
import type { AskedSource } from './search-request.ts';

export interface IndexDeps {
  index: PageIndex;
  indexer: Pick<Indexer, 'refresh' | 'wake'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
}

/** What was fetched a moment ago should be found, but a search does not wait for a whole crawl. */
const FRESHNESS_MS = 250;

export async function askIndex(
  deps: IndexDeps,
  { limit, highlights }: SearchRequest,
  query: Query,
  { source, conditions }: AskedSource,
  keep: Match,
  signal: AbortSignal,
): Promise<{ run: ProviderRun; list: RankedList<Candidate> }> {
  const { index, indexer, clock, log } = deps;
  const began = performance.now();
  const items: { result: Candidate; rank: number }[] = [];
  const run: ProviderRun = {
    provider: INDEX_NAME,
    label: 'the own index',
    isConfigured: true,
    state: 'answered',
    kept: items,
    dropped: [],
    ms: 0,
    requests: 1,
  };
  try {
    await indexer.refresh(FRESHNESS_MS, signal);
    const hits = await hitsOf(index, source, { query, conditions, limit, highlights, now: clock.now() });
    for (const [position, result] of hits.entries()) {
      const rank = position + 1;
      const reason = keep(result, 'index');
      if (reason === undefined) items.push({ result, rank });
      else run.dropped.push({ url: result.url, rank, reason });
    }
  } catch (error) {
    signal.throwIfAborted();
    // A damaged index begins anew with the next changes; until then the providers have to do.
    log.error({ err: error }, 'the index could not be searched');
    Object.assign(run, { state: 'failed', problem: 'it could not be read', problemKind: 'malformed' });
    indexer.wake();
  }
  run.ms = performance.now() - began;
  return { list: { provider: INDEX_NAME, items }, run };
}

async function hitsOf(index: PageIndex, source: Source, search: IndexSearch): Promise<Candidate[]> {
  if (source === 'images') return (await index.images(search)).map(imageResult);
  return (await index[source](search)).map(pageResult);
}

const pageResult = ({ url, title, description, highlight, date, fileType, imageUrl }: PageHit): Candidate => ({
  url,
  title,
  description: highlight ?? description,
  date,
  fileType,
  ...(imageUrl !== undefined && { imageUrl }),
});

const imageResult = ({ url, title, imageUrl, width, height }: ImageHit): Candidate => ({
  url,
  title,
  description: '',
  imageUrl,
  ...(width !== undefined && { imageWidth: width }),
  ...(height !== undefined && { imageHeight: height }),
});

// Scrapes search results after the answer: as a batch, which survives a restart. The IDs of the scrapes are given out
// before they run.
import type { ScrapeIds, SearchRequest } from '../../contracts/search/search.ts';
import { uuidv7 } from '../../util/ids.ts';
import { type BatchOptions, batchTask } from '../batch.ts';
import type { Caller } from '../caller.ts';
import { type JobDeps, startJob } from '../job/start-job.ts';
import { storedLimits } from '../threats/stored-limits.ts';
import type { FoundSource } from './search-source.ts';

/** A page that is a result of several sources is scraped once. */
export async function startScrapes(
  deps: JobDeps,
  caller: Caller,
  { scrapeOptions, threatProtection }: SearchRequest,
  found: readonly FoundSource[],
  baseUrl: string,
): Promise<ScrapeIds> {
  const scraped = found.filter(({ source }) => source !== 'images');
  const ids = new Map<string, string>();
  for (const { result } of scraped.flatMap(({ results }) => results)) {
    if (!ids.has(result.url)) ids.set(result.url, uuidv7(deps.clock.now()));
  }
  const tasks = [...ids].map(([url, id]) => batchTask(url, new URL(url), id));
  const { threatProtection: forPages = threatProtection, ...rest } = scrapeOptions;
  const options: BatchOptions = {
    ...{ ...rest, zeroDataRetention: false, baseUrl },
    ...(forPages && { threatProtection: forPages }),
    ...storedLimits(caller),
  };
  const plan = {
    kind: 'batch_scrape' as const,
    url: '',
    options,
    limit: tasks.length,
    zeroDataRetention: false,
    tasks,
  };
  if (tasks.length > 0) await startJob(deps, caller, plan);
  return Object.fromEntries(
    scraped.map(({ source, results }) => [source, results.map(({ result }) => ids.get(result.url)!)]),
  );
}

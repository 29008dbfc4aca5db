// Searches of a service, over connections that stay open, at a pace that does not wait for answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { RunningService } from '../../test/support/service.ts';
import type { BenchQuery } from '../index/index-queries.ts';

export interface SearchClient {
  /** The addresses that were found. */
  search(query: BenchQuery): Promise<string[]>;
  /** One query after the other, so many a second. Gives for each the milliseconds from when it was due to its answer. */
  pace(queries: readonly BenchQuery[], perSecond: number): Promise<SearchTimes>;
  close(): Promise<void>;
}

export interface SearchTimes {
  ms: number[];
  /** Answers that had any result. */
  found: number;
}

const CONNECTIONS = 64;

export function createSearchClient(service: RunningService): SearchClient {
  const pool = new Pool(service.url, { connections: CONNECTIONS });
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };

  const search = async ({ text, source, sortByDate }: BenchQuery): Promise<string[]> => {
    const body = JSON.stringify({ query: text, sources: [source], ...(sortByDate && { tbs: 'sbd:1' }) });
    const answer = await pool.request({ method: 'POST', path: '/v2/search', headers, body });
    const read = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`The service answered ${answer.statusCode}: ${read}`);
    const { data } = JSON.parse(read) as { data: Record<string, { url: string }[]> };
    return (data[source] ?? []).map(({ url }) => url);
  };

  return {
    search,
    async pace(queries, perSecond) {
      const began = performance.now();
      let found = 0;
      const ms = await Promise.all(
        queries.map(async (query, n) => {
          const due = began + (n * 1000) / perSecond;
          await sleep(Math.max(0, due - performance.now()));
          const urls = await search(query);
          if (urls.length > 0) found += 1;
          return performance.now() - due;
        }),
      );
      return { ms, found };
    },
    close: () => pool.close(),
  };
}

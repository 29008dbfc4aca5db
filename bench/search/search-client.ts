// A search client with open connections, which sends requests at a fixed rate without waiting for answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { RunningProgram } from '../../test/support/service.ts';
import type { BenchQuery } from '../index/index-queries.ts';

export interface SearchClient {
  /** Returns the URLs found. */
  search(query: BenchQuery): Promise<string[]>;
  /** Sends the queries at a fixed rate. Times run from when a query was due, in milliseconds. */
  pace(queries: readonly BenchQuery[], perSecond: number): Promise<SearchTimes>;
  close(): Promise<void>;
}

export interface SearchTimes {
  ms: number[];
  /** Number of answers with results. */
  found: number;
}

const CONNECTIONS = 64;

export function createSearchClient(service: RunningProgram): SearchClient {
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

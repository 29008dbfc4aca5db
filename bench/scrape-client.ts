// A scrape client with open connections. An answer that is not a success is an error.
import { Pool } from 'undici';
import type { RunningProgram } from '../test/support/service.ts';

export interface ScrapeClient {
  scrape(body: Record<string, unknown>): Promise<{ data: { metadata: Record<string, unknown> } }>;
  close(): Promise<void>;
}

export function createScrapeClient(service: RunningProgram, connections: number): ScrapeClient {
  const pool = new Pool(service.url, { connections });
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  return {
    async scrape(body) {
      const answer = await pool.request({ method: 'POST', path: '/v2/scrape', headers, body: JSON.stringify(body) });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) {
        throw new Error(`The service answered ${answer.statusCode}: ${text}\n${service.output().stderr}`);
      }
      return JSON.parse(text);
    },
    close: () => pool.close(),
  };
}

// For tests of monitors: a site that tests change, and a service that sends mail.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach } from 'node:test';
import type { CheckPage, CheckResponse } from '../../../src/contracts/monitor/monitor-check.ts';
import { until } from '../jobs.ts';
import { type RunningProgram, startServiceWith } from '../service.ts';
import { startSmtp, type TestMailServer } from '../smtp.ts';
import { readReceived } from '../web/hooks.ts';
import { page, type Site, send } from '../web/reply.ts';
import { startWeb, type Web } from '../web.ts';

export const HOST = 'watched.test';

export const FILLER = `<p>${'The shop sells tools for gardens of every size, all year round. '.repeat(5)}</p>`;

/** What the site serves: the main part of a page, or a status. Pages that are not here are gone. */
export const served = new Map<string, string | number>();

/** Requests for this path wait until it is released. */
export const held = new Map<string, PromiseWithResolvers<void>>();

export let web: Web;

export let service: RunningProgram;

export let dataDir: string;

export const site: Site = {
  '/robots.txt': (exchange) => send(exchange, '', { type: 'text/plain' }),
  '/sitemap.xml': (exchange) => send(exchange, '', { status: 404 }),
  '/*': async (exchange) => {
    await held.get(exchange.path)?.promise;
    const found = served.get(exchange.path) ?? 404;
    const text = typeof found === 'string' ? found : '<p>No such page.</p>';
    const body = `<h1>Page ${exchange.path}</h1>${FILLER}${text}`;
    send(exchange, page('Shop', body), { status: typeof found === 'string' ? 200 : found });
  },
};

export let smtp: TestMailServer;

export const settings = () => ({
  TRAWL_DATA_DIR: dataDir,
  TRAWL_API_KEY: 'fc-monitor-test-key',
  TRAWL_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  TRAWL_SMTP_FROM: 'Trawl <trawl@example.net>',
});

export async function killAndRestart(meanwhile: () => void): Promise<void> {
  await service.kill();
  meanwhile();
  service = await startServiceWith(web, settings());
}

export const at = (path: string) => web.url(HOST, path);

export async function createMonitor(body: object): Promise<string> {
  const monitor = { name: 'Shop', schedule: { text: 'weekly' }, ...body };
  const answer = await service.post<{ data: { id: string }; error?: string }>('/v2/monitor', monitor);
  assert.equal(answer.status, 200, answer.body.error);
  return answer.body.data.id;
}

export const readCheck = async (monitor: string, check: string): Promise<CheckResponse['data']> => {
  const response = await service.fetch(`/v2/monitor/${monitor}/checks/${check}?limit=100`);
  return ((await response.json()) as CheckResponse).data;
};

export async function startCheck(monitor: string): Promise<string> {
  const { status, body } = await service.post<{ id: string; error?: string }>(`/v2/monitor/${monitor}/run`, {});
  assert.equal(status, 200, body.error);
  return body.id;
}

export const endOf = (monitor: string, check: string) =>
  until(
    () => readCheck(monitor, check),
    ({ status }) => status !== 'queued' && status !== 'running',
  );

export const check = async (monitor: string) => endOf(monitor, await startCheck(monitor));

export const states = (pages: readonly CheckPage[]) =>
  Object.fromEntries(pages.map(({ url, status }) => [new URL(url).pathname, status]).sort());

export const scrapeTarget = (...paths: string[]) => ({ type: 'scrape', urls: paths.map(at) });

export interface Call {
  type: string;
  success: boolean;
  id: string;
  error?: string;
  data: { url?: string; status: string; isMeaningful?: boolean | null; diff?: object | null; summary?: object }[];
}

export const calls = async (name: string): Promise<Call[]> =>
  (await readReceived(web, name)).map(({ body }) => JSON.parse(body) as Call);

/** Before the first test of a file, and after its last. */
export function useMonitoredSite(): void {
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trawl-monitor-'));
    web = await startWeb({ [HOST]: site });
    smtp = await startSmtp();
    service = await startServiceWith(web, settings());
  });
  beforeEach(() => {
    served.clear();
    held.clear();
  });
  after(async () => {
    for (const { resolve } of held.values()) resolve();
    await service?.stop();
    await web?.stop();
    await smtp?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
}

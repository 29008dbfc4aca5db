// Makes the data folder of the current schema for test/data-folders: a service with one of everything, killed while a crawl
// runs. Every migration needs one; run it before the next migration is written, and never again for the same version.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readMigrations } from '../../src/store/sqlite/database/open-database.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { uuidv7 } from '../../src/util/ids.ts';
import { type FolderFacts, hasDataFolder, packDataFolder } from '../../test/support/data-folders.ts';
import { CRAWL, read, runJob, startJob, until } from '../../test/support/jobs.ts';
import { startService } from '../../test/support/service.ts';
import { page } from '../../test/support/web/reply.ts';

const { version } = readMigrations().at(-1)!;
if (hasDataFolder(version)) throw new Error(`There is a data folder of schema ${version} already.`);

const TEXT = `<p>${'The tide tables of the harbour list every high water of the year with its hour and height. '.repeat(5)}</p>`;
const PAGES: Record<string, string> = {
  '/': page('Harbour', `${TEXT}<a href="/tides">Tides</a> <a href="/ships">Ships</a>`),
  '/tides': page('Tides', `${TEXT}<p>Springs and neaps.</p>`),
  '/ships': page('Ships', `${TEXT}<p>Arrivals and departures.</p>`),
};
const waiting: ServerResponse[] = [];
const site = createServer(({ url = '/' }, response) => {
  if (url.startsWith('/stalled')) waiting.push(response);
  else response.writeHead(PAGES[url] ? 200 : 404, { 'content-type': 'text/html' }).end(PAGES[url] ?? '');
}).listen(0, '127.0.0.1');
await new Promise((listening) => site.once('listening', listening));
const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

const headers = { Authorization: 'Bearer sesame-4711' };
const webhook = {
  url: 'http://127.0.0.1:18239/hook-sesame-4711',
  headers: { 'X-Token': 'sesame-4711' },
  metadata: { order: 'sesame-4711' },
};
const service = await startService({
  TRAWL_ALLOW_NETWORKS: '127.0.0.0/8',
  TRAWL_TEAM_FEATURES: 'zdr,anon,threat-protection',
});
const scrape = async (path: string, options: object = {}) => {
  const { body } = await service.scrape<{ data: { metadata: { scrapeId: string } } }>({ url: base + path, ...options });
  return body.data.metadata.scrapeId;
};
/** Starts a run and waits for its end. */
const endedRun = async (path: string, request: object, statusOf = (id: string) => `${path}/${id}`) => {
  const { body } = await service.post<{ id: string }>(path, request);
  await until(
    async () => (await read<{ status?: string; data?: { status?: string } }>(service, statusOf(body.id))).body,
    ({ status, data }) => status === 'completed' || data?.status === 'completed',
  );
  return body.id;
};
const facts: FolderFacts = {
  version,
  key: service.key,
  scrapeId: await scrape('/'),
  ownScrapeId: await scrape('/ships', { headers }),
  at: 0,
};
const crawl = await runJob(service, CRAWL, { url: `${base}/`, limit: 5, webhook, scrapeOptions: { headers } });
facts.crawlId = crawl.id;
facts.crawled = crawl.documents.length;
facts.batchId = (await runJob(service, '/v2/batch/scrape', { urls: [`${base}/tides`] })).id;
facts.unfinishedId = await startJob(service, CRAWL, { url: `${base}/stalled`, webhook, scrapeOptions: { headers } });
await until(
  async () => waiting.length,
  (count) => count > 0,
);
facts.pausedId = await startJob(service, CRAWL, { url: `${base}/stalled?paused` });
await service.post(`${CRAWL}/${facts.pausedId}/pause`, {});
await service.post('/v2/search', { query: 'harbour tides' });
facts.runId = await endedRun('/v2/agent', {
  prompt: 'When is high water? sesame-4711',
  urls: [`${base}/tides`],
  webhook,
});
const target = { type: 'scrape', urls: [`${base}/tides`], scrapeOptions: { headers } };
const monitor = { name: 'Tides', schedule: { text: 'daily' }, targets: [target], webhook };
const { body: made } = await service.post<{ data: { id: string } }>('/v2/monitor', monitor);
facts.monitorId = made.data.id;
facts.checkId = await endedRun(
  `/v2/monitor/${made.data.id}/run`,
  {},
  (id) => `/v2/monitor/${made.data.id}/checks/${id}`,
);
const { body: hired } = await service.post<{ data: { id: string } }>('/v2/teams', { name: 'pilots', plan: 'hobby' });
const limits = { formats: ['markdown'] };
const { body: lent } = await service.post<{ data: { key: string } }>(`/v2/teams/${hired.data.id}/keys`, { limits });
facts.restrictedKey = lent.data.key;
const put = (path: string, body: object) =>
  fetch(service.url + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
await put('/v2/team/threat-protection', { mode: 'manual-only', blacklist: ['pirates.example'] });
await put('/v2/team/siem', {
  enabled: false,
  destination: { url: 'https://collector.example/', token: 'sesame-4711' },
});
await read(service, `${CRAWL}/${crawl.id}`);
await service.kill();
site.closeAllConnections();
site.close();

const store = await openSqliteStore({ dataDir: service.dataDir, cacheMaxBytes: 1e9 });
const team = await store.teams.ensureTeam('default', Date.now());
facts.profile = 'signed-in';
await store.profiles.write(team.id, facts.profile, '{"cookies":[{"value":"sesame-4711"}],"origins":[]}', Date.now());
facts.history = 'history of the harbour';
const look = {
  key: facts.history,
  url: `${base}/`,
  at: Date.now(),
  crawl: 'harbour',
  version: Buffer.from('Tide tables'),
};
const result = {
  transformKey: '',
  outcome: (await store.scrapes.find(facts.scrapeId, team.id, Date.now()))!.outcome,
  now: Date.now(),
};
const record = {
  id: uuidv7(Date.now()),
  teamId: team.id,
  url: `${base}/`,
  options: {},
  metadata: {},
  toStore: { result },
};
const times = { createdAt: Date.now(), expiresAt: Date.now() + 86_400_000 };
await store.scrapes.add(
  { teamId: team.id, operation: 'scrape', credits: 1, now: Date.now() },
  { ...record, ...times, look },
);
await store.close();
facts.at = Date.now();
console.log(packDataFolder(service.dataDir, facts));
await service.stop();

// What restricted keys reach of work that another key of their team has started: every call that needs a key has a row here.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { KeyedOperation } from '../../src/contracts/route-types.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import type { KeyLimits } from '../../src/contracts/team/policy.ts';
import { ROUTE_POLICY } from '../../src/policy/route-policy.ts';
import { until } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';

const scene = useService({ TRAWL_BROWSER_EXECUTE: 'on' });

/** Ids of what the unrestricted key has started, by what they are the id of. */
const started: Record<string, string> = {};

interface Row {
  /**
   * - judged: starts new work, whose body is judged by key-rules.ts and whose URLs are judged by the judge of the request
   * - refused: reads or stops the work of another
   * - paid: has the work of another go on, for which that one pays
   * - listed: leaves out the work of another
   * - session: see checkDrives in operations/browser/sessions.ts
   * - manages: not for restricted keys at all
   * - none: nothing in it comes from pages
   */
  is: 'judged' | 'refused' | 'paid' | 'listed' | 'session' | 'manages' | 'none';
  /** What the parameters of the path are the id of. */
  of?: string;
  query?: () => Record<string, string>;
  body?: () => object;
  /** The answer is made of data, which no format describes. */
  hasNoFormats?: true;
}

const judged: Row = { is: 'judged' };
const none: Row = { is: 'none' };
const manages: Row = { is: 'manages' };
const session: Row = { is: 'session' };
const refused = (of: string, more: Partial<Row> = {}): Row => ({ is: 'refused', of, ...more });
const paid = (of: string, body?: () => object): Row => ({ is: 'paid', of, ...(body && { body }) });
const listed = (of: string): Row => ({ is: 'listed', of });
const ofAgent = refused('agent', { hasNoFormats: true });
const page = () => scene.web.url('news.test', '/article/1');
const ofPage = (more: Record<string, string> = {}): Row =>
  refused('page', { query: () => ({ url: page(), ...more }), hasNoFormats: true });

const TABLE: Record<KeyedOperation, Row> = {
  scrape: judged,
  getScrape: refused('scrape'),
  parse: judged,
  parseFormats: none,
  uploadUrl: none,
  importArchive: none,
  listArchives: listed('archive'),
  getArchive: refused('archive'),
  deleteArchive: refused('archive'),
  exportArchive: refused('archive'),
  exportScrape: refused('archive'),
  batchScrape: paid('batch', () => ({ urls: [page()], appendToId: started.batch })),
  batchStatus: refused('batch'),
  cancelBatch: refused('batch'),
  batchErrors: refused('batch'),
  exportBatch: refused('batch', { query: () => ({ format: 'jsonl' }) }),
  storeBatchExport: refused('batch', { body: () => ({ destination: 's3' }) }),
  pauseBatch: refused('batch'),
  resumeBatch: paid('batch'),
  retryBatch: paid('batch'),
  batchPages: refused('batch'),
  batchHosts: refused('batch'),
  crawl: judged,
  crawlPreview: judged,
  activeCrawls: listed('crawl'),
  ongoingCrawls: listed('crawl'),
  crawlStatus: refused('crawl'),
  cancelCrawl: refused('crawl'),
  crawlErrors: refused('crawl'),
  exportCrawl: refused('crawl', { query: () => ({ format: 'jsonl' }) }),
  storeCrawlExport: refused('crawl', { body: () => ({ destination: 's3' }) }),
  pauseCrawl: refused('crawl'),
  resumeCrawl: paid('crawl'),
  updateCrawl: paid('crawl', () => ({ limit: 40 })),
  retryCrawl: paid('crawl'),
  crawlPages: refused('crawl'),
  crawlHosts: refused('crawl'),
  listJobs: listed('crawl'),
  getJob: refused('crawl'),
  map: judged,
  search: judged,
  answer: judged,
  searchIndex: judged,
  rerank: none,
  searchPapers: judged,
  getPaper: judged,
  similarPapers: judged,
  searchGithub: judged,
  developerSearch: judged,
  developerSearchByPost: judged,
  developerSearchAlias: judged,
  developerSearchAliasByPost: judged,
  searchFeedback: none,
  feedback: none,
  startAgent: {
    ...{ is: 'refused', of: 'agent', hasNoFormats: true },
    body: () => ({ prompt: 'And its author?', threadId: started.thread }),
  },
  listAgents: listed('agent'),
  agentThread: { ...ofAgent, of: 'thread' },
  agentStatus: ofAgent,
  cancelAgent: ofAgent,
  agentTrace: ofAgent,
  agentSnapshot: ofAgent,
  extract: judged,
  extractStatus: { ...ofAgent, of: 'extract' },
  createMonitor: judged,
  listMonitors: listed('monitor'),
  getMonitor: refused('monitor'),
  updateMonitor: paid('monitor', () => ({ retentionDays: 9 })),
  deleteMonitor: refused('monitor'),
  runMonitor: paid('monitor'),
  listChecks: refused('monitor'),
  getCheck: refused('monitor'),
  putCollection: paid('collection', () => ({ targets: [{ type: 'scrape', urls: [page()] }] })),
  listCollections: listed('collection'),
  getCollection: refused('collection'),
  deleteCollection: refused('collection'),
  runCollection: paid('collection'),
  addCollectionPages: paid('collection', () => ({ urls: [page()] })),
  listCollectionPages: refused('collection'),
  removeCollectionPages: refused('collection', { query: () => ({ url: page() }) }),
  collectionChanges: refused('collection'),
  exportCollection: refused('collection'),
  me: none,
  creditUsage: none,
  creditHistory: none,
  tokenUsage: none,
  tokenHistory: none,
  teamUsage: none,
  activity: listed('scrape'),
  queueStatus: none,
  listKeys: manages,
  createKey: manages,
  changeKey: manages,
  revokeKey: manages,
  rotateKey: manages,
  listTeams: manages,
  createTeam: manages,
  getTeam: manages,
  changeTeam: manages,
  listTeamKeys: manages,
  createTeamKey: manages,
  changeTeamKey: manages,
  revokeTeamKey: manages,
  rotateTeamKey: manages,
  listHosts: listed('page'),
  listPages: listed('page'),
  query: { ...listed('page'), body: () => ({ sql: 'SELECT url FROM pages' }) },
  querySchema: none,
  getPage: ofPage(),
  pageVersions: ofPage(),
  pageDiff: ofPage({ to: '1' }),
  deletePages: manages,
  threatPolicy: none,
  setThreatPolicy: manages,
  domainRanking: none,
  setDomainRanking: manages,
  auditLog: manages,
  getSiem: manages,
  setSiem: manages,
  testSiem: manages,
  listDeliveries: manages,
  getDelivery: manages,
  resendDelivery: manages,
  testWebhook: manages,
  concurrencyCheck: none,
  listClaims: manages,
  approveClaim: manages,
  healthHistory: manages,
  healthDisk: manages,
  listBrowserProcesses: manages,
  endBrowserProcess: manages,
  listProviders: manages,
  testProvider: manages,
  testModel: manages,
  denyClaim: manages,
  createBrowser: judged,
  createInteract: judged,
  listBrowsers: session,
  listInteracts: session,
  getBrowser: session,
  getInteract: session,
  deleteBrowser: session,
  deleteInteract: session,
  executeInBrowser: session,
  executeInInteract: session,
  interact: refused('scrape', { body: () => ({ code: '1' }) }),
  stopInteraction: session,
  deleteBrowserProfile: none,
  deleteInteractProfile: none,
};

const rows = Object.entries(TABLE) as [KeyedOperation, Row][];
const rowsOf = (...kinds: Row['is'][]) => rows.filter(([, { is }]) => kinds.includes(is));

interface Answer {
  status: number;
  text: string;
}

async function call(key: string, id: KeyedOperation, { of, query, body }: Row): Promise<Answer> {
  const { method, path } = ROUTES[id] as Route;
  const filled = path.replace(/:\w+/g, (name) => (name === ':checkId' ? started.check! : started[of!]!));
  const search = query ? `?${new URLSearchParams(query())}` : '';
  const response = await scene.service.fetch(filled + search, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body()) }),
  });
  return { status: response.status, text: await response.text() };
}

const codeOf = ({ status, text }: Answer): unknown => (status < 400 ? status : JSON.parse(text).code);

async function keyWith(limits: KeyLimits): Promise<string> {
  const { status, body } = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', { limits });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.key;
}

async function start(path: string, body: object): Promise<Record<string, string>> {
  const answer = await scene.service.post<Record<string, string>>(path, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

before(async () => {
  const { service } = scene;
  const formats = ['markdown', 'html'];
  const scraped = await service.scrape<{ data: { metadata: { scrapeId: string } } }>({
    ...{ url: page(), formats, archive: true },
  });
  started.scrape = scraped.body.data.metadata.scrapeId;
  started.page = started.scrape;
  started.archive = started.scrape;
  started.crawl = (await start('/v2/crawl', { url: page(), limit: 2, delay: 60, scrapeOptions: { formats } })).id!;
  started.batch = (await start('/v2/batch/scrape', { urls: [page()], formats })).id!;
  for (const path of [`/v2/crawl/${started.crawl}`, `/v2/batch/scrape/${started.batch}`]) {
    await service.post(`${path}/pause`, {});
  }
  const agent = await start('/v2/agent', { prompt: 'What is its title?', urls: [page()] });
  started.agent = agent.id!;
  started.thread = agent.threadId!;
  started.extract = (await start('/v2/extract', { urls: [page()], prompt: 'Its title' })).id!;
  await until(
    async () => (await (await service.fetch(`/v2/agent/${started.agent}`)).json()) as { status: string },
    ({ status }) => status !== 'processing',
  );
  const { body } = await service.post<{ data: { id: string } }>('/v2/monitor', {
    name: 'News',
    schedule: { cron: '0 0 1 1 *' },
    targets: [{ type: 'scrape', urls: [page()], scrapeOptions: { formats } }],
  });
  started.monitor = body.data.id;
  started.check = started.monitor;
  started.collection = 'of-another-key';
  await service.fetch(`/v2/collections/${started.collection}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ targets: [{ type: 'scrape', urls: [page()], scrapeOptions: { formats } }] }),
  });
});

describe('a key that is restricted to other domains', () => {
  let key: string;
  before(async () => {
    key = await keyWith({ domains: ['elsewhere.test'] });
  });

  for (const [id, row] of rowsOf('refused', 'paid')) {
    test(`is refused by ${id}`, async () => {
      assert.equal(codeOf(await call(key, id, row)), 'KEY_RESTRICTED');
    });
  }

  for (const [id, row] of rowsOf('listed')) {
    test(`sees nothing of others in ${id}`, async () => {
      const own = await call(scene.service.key, id, row);
      const named = row.of === 'page' ? 'news.test' : started[row.of!]!;
      assert.deepEqual([own.status, own.text.includes(named)], [200, true], own.text);
      const { status, text } = await call(key, id, row);
      assert.deepEqual([status, text.includes(named)], [200, false], text);
    });
  }
});

describe('a key that is restricted to other formats', () => {
  let key: string;
  before(async () => {
    key = await keyWith({ formats: ['links'] });
  });

  for (const [id, row] of rowsOf('refused', 'paid').filter(([, { hasNoFormats }]) => !hasNoFormats)) {
    test(`is refused by ${id}`, async () => {
      assert.equal(codeOf(await call(key, id, row)), 'KEY_RESTRICTED');
    });
  }
});

describe('a key with a budget', () => {
  let key: string;
  before(async () => {
    key = await keyWith({ monthlyCredits: 2 });
  });

  for (const [id, row] of rowsOf('paid')) {
    test(`has no work of others go on by ${id}`, async () => {
      assert.equal(codeOf(await call(key, id, row)), 'KEY_RESTRICTED');
    });
  }

  test('reads the work of others', async () => {
    assert.equal(codeOf(await call(key, 'crawlStatus', TABLE.crawlStatus)), 200);
    assert.equal(codeOf(await call(key, 'getScrape', TABLE.getScrape)), 200);
  });
});

test('a key reads and continues what it has started, and what was started with fewer rights', async () => {
  const domains = ['news.test'];
  const key = await keyWith({ domains, formats: ['markdown'], monthlyCredits: 50 });
  const wider = await keyWith({ domains: [...domains, '*.news.test'] });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: page(), limit: 1 });
  const response = await scene.service.fetch('/v2/crawl', { method: 'POST', headers, body });
  const { id } = (await response.json()) as { id: string };
  const calls = [
    ['POST', '/pause', key],
    ['POST', '/resume', key],
    ['GET', '', key],
    ['GET', '', wider],
  ] as const;
  for (const [method, path, by] of calls) {
    const answer = await scene.service.fetch(`/v2/crawl/${id}${path}`, {
      method,
      headers: { authorization: `Bearer ${by}` },
    });
    assert.notEqual(answer.status, 403, await answer.text());
  }
});

test('whoever changes a monitor, it stays within the domains of the key that pays for it', async () => {
  const key = await keyWith({ domains: ['news.test'] });
  const target = (host: string) => ({ targets: [{ type: 'scrape', urls: [scene.web.url(host, '/article/1')] }] });
  const created = await scene.service.fetch('/v2/monitor', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'News', schedule: { cron: '0 0 1 1 *' }, ...target('news.test') }),
  });
  const { data } = (await created.json()) as { data: { id: string } };
  const change = async (host: string) => {
    const answer = await scene.service.fetch(`/v2/monitor/${data.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(target(host)),
    });
    return { status: answer.status, text: await answer.text() };
  };
  assert.equal(codeOf(await change('news.test')), 200);
  const other = await change('elsewhere.test');
  assert.equal(codeOf(other), 'KEY_RESTRICTED');
  assert.match(other.text, /the API key that created this monitor is restricted to the following domains: news\.test/);
});

test('the table agrees with the policy of the calls', () => {
  for (const [id, { is }] of rows) {
    assert.equal(ROUTE_POLICY[id].manages !== undefined, is === 'manages', id);
  }
});

// A good request for every route, in the order in which they are sent: later ones use what earlier ones made. A route
// without an entry does not compile. The bad request of a route is made from its description, unless one is given.
import { createHash } from 'node:crypto';
import type { OperationId } from '../../src/contracts/routes.ts';
import { type Answered, type Body, KEYLESS_SECRET, type RecordedScene, type Sent, UNKNOWN_ID } from './scene.ts';

export interface RecordedCall {
  good(scene: RecordedScene): Sent | Promise<Sent>;
  bad?(scene: RecordedScene): Sent;
  /** After the good request: keeps ids, and waits for what goes on. */
  settle?(scene: RecordedScene, answer: Answered): unknown;
  /** What is recorded of the answer if not its values: they depend on the machine, or are the documentation. */
  shows?: 'shape' | 'nothing';
}

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const SESSION = 'ab'.repeat(32);
const SCHEMA = { type: 'object', properties: { height: { type: 'string' }, keeper: { type: 'string' } } };
const PAPER = 'arxiv:1706.03762';

const LAMP = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Lamp</title>';
const RECORD = [
  ...['WARC/1.1', 'WARC-Type: response', 'WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>'],
  ...['WARC-Date: 2026-01-01T00:00:00Z', 'WARC-Target-URI: http://lamp.test/'],
  ...['Content-Type: application/http; msgtype=response', `Content-Length: ${LAMP.length}`, '', LAMP, '', ''],
].join('\r\n');

const nothing: RecordedCall = { good: () => ({}) };
const open: RecordedCall = { good: () => ({ key: false }) };
/** About what an earlier answer has named. */
const about = (name: string, more: Partial<RecordedCall> = {}): RecordedCall => ({
  good: ({ ids }) => ({ params: { id: ids[name]! } }),
  ...more,
});
const withBody = (body: (scene: RecordedScene) => unknown, more: Partial<RecordedCall> = {}): RecordedCall => ({
  good: (scene) => ({ body: body(scene) }),
  ...more,
});
const asking = (query: Record<string, string>): RecordedCall => ({ good: () => ({ query }) });
const keep =
  (name: string, read: (body: Body) => string) =>
  ({ ids }: RecordedScene, { body }: Answered) => {
    ids[name] = read(body);
  };
const idOf = (body: Body): string => body.data?.id ?? body.id;
const ended = ({ status }: Body) => status !== 'scraping' && status !== 'processing';
const ofOwnPage = ({ url }: RecordedScene) => ({ origin: url, 'sec-fetch-site': 'same-origin' });
const loggedIn = (scene: RecordedScene) => ({
  ...{ cookie: scene.ids.cookie!, 'x-csrf-token': scene.ids.csrf! },
  ...ofOwnPage(scene),
});
/** A job that waits for a page that never comes, so that it can be controlled. */
const STALLED = { maxConcurrency: 1, timeout: 300_000 };

const pageCalls = {
  scrape: withBody((scene) => ({ url: scene.page('/article'), formats: ['markdown', 'links'] }), {
    settle: keep('scrape', ({ data }) => data.metadata.scrapeId),
  }),
  getScrape: about('scrape'),
  importArchive: {
    good() {
      const form = new FormData();
      form.append('file', new Blob([RECORD]), 'lamp.warc');
      return { body: form };
    },
    settle: keep('archive', ({ data }) => data.id),
  },
  listArchives: nothing,
  getArchive: about('archive'),
  exportArchive: { good: ({ ids }) => ({ params: { id: ids.archive! }, query: { format: 'warc' } }), shows: 'nothing' },
  exportScrape: { good: ({ ids }) => ({ params: { id: ids.archive! }, query: { format: 'wacz' } }), shows: 'nothing' },
  deleteArchive: about('archive'),
  file: {
    good: () => ({ params: { file: UNKNOWN_ID, name: 'a.png' }, query: { expires: '1', sig: 'x' }, key: false }),
  },
  parse: {
    good() {
      const form = new FormData();
      form.append('file', new Blob(['<title>Notes</title><h1>Notes</h1><p>Oil the lamp.</p>']), 'notes.html');
      form.append('options', JSON.stringify({ formats: ['markdown'] }));
      return { body: form };
    },
    bad: () => ({ body: { formats: -1.5, uploadRef: -1.5 } }),
  },
  parseFormats: { ...nothing, shows: 'shape' },
  uploadUrl: withBody(() => ({ filename: 'notes.html' }), {
    settle({ ids }, { body }) {
      ids.upload = new URL(body.data.uploadUrl).pathname.split('/').at(-1)!;
      ids.uploadRef = body.data.uploadRef;
    },
  }),
  upload: {
    good: ({ ids }) => ({
      params: { id: ids.upload! },
      query: { uploadRef: ids.uploadRef! },
      body: new TextEncoder().encode('<h1>Sent before</h1>'),
      key: false,
    }),
    bad: () => ({ query: { uploadRef: 'wrong' }, body: 'x', key: false }),
  },
  map: withBody((scene) => ({ url: scene.page() })),
} satisfies Partial<Record<OperationId, RecordedCall>>;

const NAMED = { name: 'reading' };
const UNNAMED = { name: 'unknown' };

const jobCalls = {
  batchScrape: withBody(
    (scene) => ({
      ...{ urls: [scene.page('/article'), scene.page('/missing'), 'http://'], ignoreInvalidURLs: true },
      ...{ maxConcurrency: 1, webhook: scene.web.url('hooks.test', '/hook/recorded') },
    }),
    {
      async settle(scene, { body: { id } }) {
        scene.ids.batch = id;
        await scene.waitFor('batchStatus', { params: { id } }, ended);
      },
    },
  ),
  batchStatus: about('batch'),
  batchErrors: about('batch'),
  batchPages: about('batch'),
  batchHosts: about('batch'),
  exportBatch: { good: ({ ids }) => ({ params: { id: ids.batch! }, query: { format: 'jsonl' } }) },
  storeBatchExport: { good: ({ ids }) => ({ params: { id: ids.batch! }, body: { destination: 's3' } }) },
  retryBatch: about('batch'),
  pauseBatch: {
    async good(scene) {
      const body = { urls: [scene.page('/stalled/1')], ...STALLED };
      scene.ids.stalledBatch = idOf((await scene.send('batchScrape', { body })).body);
      return { params: { id: scene.ids.stalledBatch } };
    },
  },
  resumeBatch: about('stalledBatch'),
  cancelBatch: about('stalledBatch'),
  crawl: withBody((scene) => ({ url: scene.page(), limit: 3, maxConcurrency: 1 }), {
    async settle(scene, { body: { id } }) {
      scene.ids.crawl = id;
      await scene.waitFor('crawlStatus', { params: { id } }, ended);
    },
  }),
  crawlPreview: withBody((scene) => ({ url: scene.page(), prompt: 'Only the lighthouse' })),
  crawlStatus: about('crawl'),
  crawlErrors: about('crawl'),
  crawlPages: about('crawl'),
  crawlHosts: about('crawl'),
  exportCrawl: { good: ({ ids }) => ({ params: { id: ids.crawl! }, query: { format: 'csv' } }) },
  storeCrawlExport: { good: ({ ids }) => ({ params: { id: ids.crawl! }, body: { destination: 's3' } }) },
  retryCrawl: about('crawl'),
  pauseCrawl: {
    async good(scene) {
      const scrapeOptions = { timeout: STALLED.timeout };
      const body = { url: scene.page('/stalled/2'), sitemap: 'skip', maxConcurrency: 1, scrapeOptions };
      scene.ids.stalledCrawl = idOf((await scene.send('crawl', { body })).body);
      const params = { id: scene.ids.stalledCrawl };
      // The kick-off has ended, and the page has begun.
      await scene.waitFor('crawlHosts', { params }, ({ total }) => total.running === 1);
      return { params };
    },
  },
  resumeCrawl: about('stalledCrawl'),
  updateCrawl: { good: ({ ids }) => ({ params: { id: ids.stalledCrawl! }, body: { limit: 7 } }) },
  activeCrawls: nothing,
  ongoingCrawls: nothing,
  cancelCrawl: about('stalledCrawl'),
  listJobs: asking({ limit: '4' }),
  getJob: about('crawl'),
} satisfies Partial<Record<OperationId, RecordedCall>>;

const searchCalls = {
  searchIndex: {
    async good(scene) {
      const body = { query: 'lighthouse' };
      // Pages are indexed after they were answered.
      await scene.waitFor('searchIndex', { body }, ({ data }) => JSON.stringify(data).includes('/keeper'));
      return { body };
    },
  },
  search: withBody(() => ({ query: 'lighthouse', limit: 3 }), { settle: keep('search', ({ id }) => id) }),
  answer: withBody(() => ({ query: 'Who kept the lighthouse on the moon?', limit: 1 })),
  // Scores differ in the last digits from processor to processor.
  rerank: withBody(() => ({ query: 'lighthouse', documents: [] })),
  searchFeedback: {
    good: ({ ids }) => ({
      params: { id: ids.search! },
      body: { rating: 'partial', missingContent: [{ topic: 'prices' }] },
    }),
  },
  feedback: withBody(({ ids }) => ({ endpoint: 'scrape', jobId: ids.scrape, rating: 'bad', note: 'Too short' })),
  searchPapers: asking({ query: 'lighthouse', k: '5' }),
  getPaper: { good: () => ({ params: { id: PAPER } }) },
  similarPapers: { good: () => ({ params: { id: PAPER }, query: { intent: 'lamps' } }) },
  searchGithub: asking({ query: 'lighthouse' }),
  developerSearch: asking({ query: 'lighthouse', types: 'readme' }),
  developerSearchByPost: withBody(() => ({ query: 'lighthouse', types: ['issue'] })),
  developerSearchAlias: asking({ query: 'lighthouse', types: 'readme' }),
  developerSearchAliasByPost: withBody(() => ({ query: 'lighthouse', types: ['issue'] })),
} satisfies Partial<Record<OperationId, RecordedCall>>;

const runCalls = {
  startAgent: withBody(
    (scene) => ({
      ...{ prompt: 'The height of the lighthouse', urls: [scene.page('/article')], schema: SCHEMA },
      strictConstrainToURLs: true,
    }),
    {
      async settle(scene, { body: { id } }) {
        scene.ids.agent = id;
        scene.ids.thread = (await scene.waitFor('agentStatus', { params: { id } }, ended)).threadId;
      },
    },
  ),
  agentStatus: about('agent'),
  listAgents: nothing,
  agentThread: about('thread'),
  agentTrace: about('agent'),
  agentSnapshot: { good: ({ ids }) => ({ params: { id: ids.agent!, snapshotId: 'result' } }) },
  cancelAgent: about('agent'),
  extract: withBody((scene) => ({ urls: [scene.page('/article')], schema: SCHEMA, showSources: true }), {
    async settle(scene, { body: { id } }) {
      scene.ids.extract = id;
      await scene.waitFor('extractStatus', { params: { id } }, ended);
    },
  }),
  extractStatus: about('extract'),
  createMonitor: withBody(
    (scene) => ({
      ...{ name: 'Tides', schedule: { cron: '0 9 * * 1' }, goal: 'The tide' },
      targets: [{ type: 'scrape', urls: [scene.page('/tide')] }],
    }),
    {
      settle({ ids }, { body: { data } }) {
        ids.monitor = data.id;
        ids.feed = new URL(data.feedUrl).searchParams.get('token')!;
      },
    },
  ),
  listMonitors: nothing,
  getMonitor: about('monitor'),
  updateMonitor: { good: ({ ids }) => ({ params: { id: ids.monitor! }, body: { name: 'High tides' } }) },
  runMonitor: about('monitor', {
    async settle(scene, { body }) {
      scene.ids.check = idOf(body);
      const params = { id: scene.ids.monitor!, checkId: scene.ids.check };
      const isDone = ({ data }: Body) => data.status !== 'queued' && data.status !== 'running';
      await scene.waitFor('getCheck', { params }, isDone);
    },
  }),
  listChecks: about('monitor'),
  getCheck: { good: ({ ids }) => ({ params: { id: ids.monitor!, checkId: ids.check! } }) },
  monitorFeed: { good: ({ ids }) => ({ params: { id: ids.monitor! }, query: { token: ids.feed! }, key: false }) },
  confirmMail: withBody(() => ({ token: 't'.repeat(32) })),
  unsubscribeMail: withBody(() => ({ token: 't'.repeat(32) })),
  confirmMailPage: asking({ token: 't'.repeat(32) }),
  confirmMailByPage: asking({ token: 't'.repeat(32) }),
  unsubscribeMailPage: asking({ token: 't'.repeat(32) }),
  unsubscribeMailByPage: asking({ token: 't'.repeat(32) }),
  deleteMonitor: about('monitor'),
  putCollection: {
    good: (scene) => ({
      params: NAMED,
      body: { targets: [{ type: 'scrape', urls: [scene.page('/article')] }], schedule: { cron: '0 9 * * 1' } },
    }),
    bad: () => ({ params: NAMED, body: { targets: -1.5, retentionDays: -1.5 } }),
  },
  runCollection: {
    good: () => ({ params: NAMED }),
    async settle(scene) {
      const isDone = ({ data }: Body) => data.currentRunId === null;
      await scene.waitFor('getCollection', { params: NAMED }, isDone);
    },
    bad: () => ({ params: UNNAMED }),
  },
  addCollectionPages: {
    good: (scene) => ({ params: NAMED, body: { urls: [scene.page('/tide')], run: false } }),
    bad: () => ({ params: UNNAMED, body: { urls: -1.5 } }),
  },
  listCollections: nothing,
  getCollection: { good: () => ({ params: NAMED }), bad: () => ({ params: UNNAMED }) },
  listCollectionPages: { good: () => ({ params: NAMED }), bad: () => ({ params: UNNAMED }) },
  removeCollectionPages: {
    good: (scene) => ({ params: NAMED, query: { url: scene.page('/tide') } }),
    bad: () => ({ params: UNNAMED }),
  },
  collectionChanges: { good: () => ({ params: NAMED }), bad: () => ({ params: NAMED, query: { since: 'unknown' } }) },
  exportCollection: {
    good: () => ({ params: NAMED, query: { format: 'jsonl' } }),
    bad: () => ({ params: NAMED, query: { format: 'unknown' } }),
  },
  deleteCollection: { good: () => ({ params: NAMED }), bad: () => ({ params: UNNAMED }) },
} satisfies Partial<Record<OperationId, RecordedCall>>;

const teamKey = ({ ids }: RecordedScene) => ({ params: { id: ids.team!, keyId: ids.teamKey! } });
const teamCalls = {
  createTeam: withBody(() => ({ name: 'acme', monthlyCredits: 500 }), { settle: keep('team', idOf) }),
  listTeams: nothing,
  getTeam: about('team'),
  changeTeam: {
    good: ({ ids }) => ({ params: { id: ids.team! }, body: { maxConcurrency: 3, unset: ['monthlyCredits'] } }),
  },
  createTeamKey: {
    good: ({ ids }) => ({ params: { id: ids.team! }, body: { label: 'Lamp', limits: { operations: ['scrape'] } } }),
    settle({ ids }, { body: { data } }) {
      ids.teamKey = data.id;
      ids.restricted = data.key;
    },
  },
  listTeamKeys: about('team'),
  changeTeamKey: { good: (scene) => ({ ...teamKey(scene), body: { label: 'Oil' } }) },
  rotateTeamKey: { good: (scene) => ({ ...teamKey(scene), body: { graceHours: 1 } }) },
  revokeTeamKey: { good: teamKey },
  createKey: withBody(() => ({ label: 'Second', expiresInDays: 30 }), { settle: keep('ownKey', idOf) }),
  listKeys: nothing,
  changeKey: { good: ({ ids }) => ({ params: { id: ids.ownKey! }, body: { limits: { requestsPerMinute: 60 } } }) },
  rotateKey: { good: ({ ids }) => ({ params: { id: ids.ownKey! }, body: {} }) },
  revokeKey: about('ownKey'),
  threatPolicy: nothing,
  setThreatPolicy: withBody(() => ({ mode: 'manual-only', blacklist: ['blocked.test'] })),
  domainRanking: nothing,
  setDomainRanking: withBody(() => ({ block: ['blocked.test'], pin: ['docs.test'] })),
  getSiem: nothing,
  setSiem: withBody(({ web }) => ({
    enabled: false,
    destination: { url: web.secureUrl('hooks.test', '/hook/siem'), token: 'collector' },
  })),
  testSiem: nothing,
  auditLog: asking({ limit: '3' }),
} satisfies Partial<Record<OperationId, RecordedCall>>;

const webhookCalls = {
  listDeliveries: {
    async good(scene) {
      const query = { jobId: scene.ids.batch! };
      const areDone = ({ data }: Body) => data.every(({ status }: Body) => status === 'delivered');
      scene.ids.delivery = (await scene.waitFor('listDeliveries', { query }, areDone)).data[0].id;
      return { query };
    },
  },
  getDelivery: about('delivery'),
  testWebhook: withBody(({ web }) => ({ url: web.url('hooks.test', '/hook/recorded') })),
  resendDelivery: about('delivery', {
    settle: async (scene) => {
      const params = { id: scene.ids.delivery! };
      await scene.waitFor('getDelivery', { params }, ({ data }) => data.status === 'delivered');
    },
  }),
} satisfies Partial<Record<OperationId, RecordedCall>>;

/** Without a browser: browser.full.test.ts has the answers with one. */
const browserCalls = {
  createBrowser: withBody(() => ({})),
  createInteract: withBody(() => ({})),
  listBrowsers: nothing,
  listInteracts: nothing,
  getBrowser: nothing,
  getInteract: nothing,
  executeInBrowser: withBody(() => ({ code: '1' })),
  executeInInteract: withBody(() => ({ code: '1' })),
  deleteBrowser: nothing,
  deleteInteract: nothing,
  interact: { good: ({ ids }) => ({ params: { id: ids.scrape! }, body: { prompt: 'Open the keeper' } }) },
  stopInteraction: about('scrape'),
  deleteBrowserProfile: { good: () => ({ params: { name: 'none' } }) },
  deleteInteractProfile: { good: () => ({ params: { name: 'none' } }) },
} satisfies Partial<Record<OperationId, RecordedCall>>;

const onboardingCalls = {
  protectedResource: open,
  protectedResourceOfV2: open,
  protectedResourceOfMcp: open,
  protectedResourceOfV2Mcp: open,
  authorizationServer: open,
  authGuide: open,
  registerAgent: {
    good: () => ({ body: { type: 'anonymous' }, key: false }),
    settle({ ids }, { body }) {
      ids.registration = body.registration_id;
      ids.claimToken = body.claim_token;
      ids.credential = body.credential;
    },
  },
  claimAgent: {
    good: ({ ids }) => ({ body: { claim_token: ids.claimToken, email: 'agent@harbour.example' }, key: false }),
  },
  listClaims: nothing,
  approveClaim: { good: ({ ids }) => ({ params: { id: ids.registration! }, body: { expiresInDays: 30 } }) },
  denyClaim: about('registration'),
  revokeAgent: { good: ({ ids }) => ({ body: { token: ids.credential }, key: false }) },
  keylessEligibility: {
    good: () => ({
      headers: { 'x-firecrawl-keyless-secret': KEYLESS_SECRET, 'x-firecrawl-keyless-ip': '192.0.2.1' },
      key: false,
    }),
    bad: () => ({ headers: { 'x-firecrawl-keyless-secret': 'wrong' }, key: false }),
  },
  cliLoginPage: { good: () => ({ query: { code_challenge: CHALLENGE }, key: false }) },
  approveCliLogin: {
    good: (scene) => ({
      body: { session_id: SESSION, code_challenge: CHALLENGE },
      headers: ofOwnPage(scene),
      key: false,
    }),
  },
  cliLoginStatus: { good: () => ({ body: { session_id: SESSION, code_verifier: VERIFIER }, key: false }) },
  openConsoleSession: {
    good(scene) {
      // One login of an address is allowed every few seconds.
      scene.turnAhead(10_000);
      return { body: { key: scene.key }, headers: ofOwnPage(scene), key: false };
    },
    settle({ ids }, { headers, body }) {
      ids.cookie = headers.getSetCookie()[0]!.split(';')[0]!;
      ids.csrf = body.data.csrfToken;
    },
  },
  consoleSession: { good: (scene) => ({ headers: loggedIn(scene), key: false }) },
  closeConsoleSession: { good: (scene) => ({ headers: loggedIn(scene), key: false }) },
} satisfies Partial<Record<OperationId, RecordedCall>>;

const stateCalls = {
  liveness: open,
  readiness: open,
  // They depend on what the machine has.
  healthDetails: { ...nothing, shows: 'nothing' },
  metrics: { ...nothing, shows: 'nothing' },
  openapi: { ...open, shows: 'nothing' },
  chapters: { ...open, shows: 'shape' },
  manual: { good: () => ({ params: { group: 'use', name: 'start' }, key: false }), shows: 'nothing' },
  formerChapter: { good: () => ({ params: { name: '1-start' }, key: false }), shows: 'nothing' },
  healthHistory: { ...nothing, shows: 'shape' },
  healthDisk: { ...nothing, shows: 'shape' },
  listBrowserProcesses: nothing,
  endBrowserProcess: nothing,
  listProviders: nothing,
  testProvider: { good: () => ({ params: { name: 'openalex' } }) },
  testModel: { good: () => ({ params: { purpose: 'extract' } }) },
} satisfies Partial<Record<OperationId, RecordedCall>>;

const page = ({ page }: RecordedScene): Record<string, string> => ({ url: page('/tide') });
const storedCalls = {
  listHosts: asking({ order: 'name' }),
  listPages: asking({ tracked: 'false' }),
  query: withBody(() => ({ sql: "SELECT title, kind FROM pages WHERE url LIKE '%/article'" })),
  querySchema: nothing,
  getPage: { good: (scene) => ({ query: page(scene) }) },
  pageVersions: {
    async good(scene) {
      const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff'] }];
      const body = { url: scene.page('/tide'), formats, maxAge: 0 };
      await scene.send('scrape', { body });
      await scene.send('scrape', { body });
      return { query: page(scene) };
    },
    settle: keep('version', ({ data }) => String(data[0].versions[0].id)),
  },
  pageDiff: { good: (scene) => ({ query: { ...page(scene), to: scene.ids.version! } }) },
  deletePages: { good: (scene) => ({ query: page(scene) }) },
} satisfies Partial<Record<OperationId, RecordedCall>>;

/** Last, because they tell what the others have used. */
const usageCalls = {
  me: nothing,
  creditUsage: nothing,
  creditHistory: asking({ byApiKey: 'true' }),
  tokenUsage: nothing,
  tokenHistory: nothing,
  teamUsage: nothing,
  activity: asking({ limit: '5' }),
  queueStatus: nothing,
  concurrencyCheck: nothing,
} satisfies Partial<Record<OperationId, RecordedCall>>;

export const CALLS: Readonly<Record<OperationId, RecordedCall>> = {
  ...pageCalls,
  ...jobCalls,
  ...searchCalls,
  ...runCalls,
  ...teamCalls,
  ...webhookCalls,
  ...browserCalls,
  ...onboardingCalls,
  ...stateCalls,
  ...storedCalls,
  ...usageCalls,
};

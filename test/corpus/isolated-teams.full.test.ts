// With TRAWL_TEAM_ISOLATION=on: one team leaves behind everything that a team can, and another one, the operator and a caller
// without a key look for it. Stored pages are in teams.test.ts.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { hashOf } from '../../src/util/hash.ts';
import { uuidv7 } from '../../src/util/ids.ts';
import { BATCH, CRAWL, read, runJob, startJob, until } from '../support/jobs.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import type { Answer, RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { asTeam } from '../support/teams.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

/** Nobody but the first team knows of this host, so that its name in any answer is a leak. */
const HOST = 'quokka-vault.test';
const MARK = /quokka/i;

/** What the site was asked with, by path. */
const asked = new Map<string, (string | undefined)[]>();

const SITE: Site = {
  '/sitemap.xml': (exchange) => send(exchange, '', { status: 404 }),
  '/hook': (exchange) => send(exchange, 'ok'),
  '/named': (exchange) => send(exchange, page('A page of many names', '<p>It says nothing of itself here.</p>')),
  '/names': (exchange) => send(exchange, page('Names', '<a href="/named">quokkology</a>')),
  '/*': (exchange) => {
    asked.set(exchange.path, [...(asked.get(exchange.path) ?? []), exchange.headers['if-none-match']]);
    // The same words on two pages would be one result.
    const words = hashOf(exchange.path)
      .slice(0, 40)
      .replaceAll(/(....)/g, 'x$1 ');
    const html = page(`Quokka ${exchange.path}`, `<p class="price">49 EUR for a quokka.</p><p>${words}</p>`);
    send(exchange, html, { headers: { etag: '"version-1"' } });
  },
};

const SETTINGS = { TRAWL_TEAM_ISOLATION: 'on', TRAWL_KEYLESS: 'limited' };

let web: Web;
let model: ModelServer;
let operator: RunningService;
let first: RunningService;
let second: RunningService;
/** A parameter of a route by the route's name: what the first team has made. */
let made: Record<string, Record<string, string>>;

const urlOf = (path: string) => web.url(HOST, path);
const withoutKey = (path: string, init: RequestInit = {}) =>
  operator.fetch(path, { ...init, headers: { ...init.headers, authorization: 'Bearer undefined' } });

before(async () => {
  web = await startWeb({ [HOST]: SITE });
  const rule = { path: 'price', selector: '.price', take: 'text', sample: '49 EUR for a quokka.' };
  const program = { rules: [rule], lists: [] };
  model = await startModelServer(() => ({ text: program }));
  operator = await startServiceHereWith(web, { ...SETTINGS, ...model.settings() });
  first = await asTeam(operator, 'first');
  second = await asTeam(operator, 'second');
  made = await makeEverything();
});
after(async () => {
  await operator?.stop();
  await model?.close();
  await web?.stop();
});

type Made = { data: Record<string, string> } & Record<string, string>;

async function makeEverything(): Promise<Record<string, Record<string, string>>> {
  const make = async (path: string, body: object) => {
    const { status, body: answer } = await first.post<Made>(path, body);
    assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const scraped = await make('/v2/scrape', { url: urlOf('/tracked'), formats: ['markdown', 'changeTracking'] });
  const archived = await make('/v2/scrape', { url: urlOf('/'), archive: true });
  const archive = (archived.data.metadata as unknown as { scrapeId: string }).scrapeId;
  const collection = 'collection-of-the-first';
  const targets = [{ type: 'scrape', urls: [urlOf('/')] }];
  const put = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ targets }) };
  assert.equal((await first.fetch(`/v2/collections/${collection}`, put)).status, 200);
  const webhook = urlOf('/hook');
  const crawl = (await runJob(first, CRAWL, { url: urlOf('/'), limit: 2, webhook })).id;
  const batch = (await runJob(first, BATCH, { urls: [urlOf('/in-a-batch'), urlOf('/read-by-one')] })).id;
  const extract = await startJob(first, '/v2/extract', { urls: [urlOf('/')], prompt: 'The quokka' });
  const agent = await make('/v2/agent', { urls: [urlOf('/')], prompt: 'The quokka' });
  const monitor = (
    await make('/v2/monitor', {
      name: 'Quokka',
      schedule: { text: 'daily' },
      targets: [{ type: 'scrape', urls: [urlOf('/')] }],
    })
  ).data.id!;
  const check = (await make(`/v2/monitor/${monitor}/run`, {})).id!;
  const search = (await make('/v2/search', { query: 'quokka' })).id!;
  const key = (await make('/v2/team/keys', {})).data.id!;
  const deliveries = await until(
    async () => (await read<{ data: { id: string }[] }>(first, '/v2/webhooks/deliveries')).body.data,
    (list) => list.length > 0,
  );
  for (const path of [`/v2/agent/${agent.id}`, `/v2/extract/${extract}`]) {
    await until(
      async () => (await read(first, path)).body.status,
      (status) => status !== 'processing',
    );
  }
  const scrapeId = (scraped.data.metadata as unknown as { scrapeId: string }).scrapeId;
  const { body: me } = await read<{ data: { team: { id: string } } }>(first, '/v2/me');
  const team = me.data.team.id;
  return {
    '/v2/scrape': { id: scrapeId },
    '/v2/archives': { id: archive },
    '/v2/collections': { name: collection },
    '/v2/crawl': { id: crawl },
    '/v2/batch': { id: batch },
    '/v2/jobs': { id: crawl },
    '/v2/agent': { id: agent.id!, snapshotId: '1' },
    '/v2/agent/threads': { id: agent.threadId! },
    '/v2/extract': { id: extract },
    '/v2/monitor': { id: monitor, checkId: check },
    '/v2/search': { id: search },
    '/v2/team/keys': { id: key },
    '/v2/teams': { id: team, keyId: key },
    '/v2/webhooks': { id: deliveries[0]!.id },
  };
}

/** Routes with a parameter that are left out: things that no team owns, and sessions and profiles, which need a browser. */
const NOT_OF_TEAMS = /^\/v2\/(?:search\/research|claims|providers|models|health|browser|interact)\b|\/interact$/;
const BODIES: Record<string, object> = {
  updateCrawl: { limit: 5 },
  updateMonitor: { name: 'Mine' },
  changeKey: { expiresInDays: 1 },
  changeTeam: { plan: 'free' },
  changeTeamKey: { expiresInDays: 1 },
  storeCrawlExport: { destination: 's3' },
  storeBatchExport: { destination: 's3' },
  addCollectionPages: { urls: ['http://example.test/'] },
  searchFeedback: { rating: 'bad', querySuggestions: 'Say more.' },
};

const withParameters = (Object.entries(ROUTES) as [string, Route][]).filter(
  // Each team names its own collections.
  ([name, { path, open }]) => path.includes('/:') && !open && !NOT_OF_TEAMS.test(path) && name !== 'putCollection',
);

async function call(team: RunningService, name: string, path: string): Promise<Answer> {
  const { method } = ROUTES[name as keyof typeof ROUTES];
  const sends = method !== 'GET' && method !== 'DELETE';
  const query = name === 'removeCollectionPages' ? '?url=http%3A%2F%2Fexample.test%2F' : '';
  const response = await team.fetch(path + query, {
    method,
    ...(sends && { body: JSON.stringify(BODIES[name] ?? {}), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

for (const [name, { method, path }] of withParameters) {
  test(`${method} ${path} tells another team no more about a thing of the first one than about none`, async () => {
    const [, of] = Object.entries(made)
      .sort(([a], [b]) => b.length - a.length)
      .find(([prefix]) => path.startsWith(`${prefix}/`))!;
    assert.ok(of, 'A route with a parameter needs a line in `made`.');
    const nothing = uuidv7(Date.now());
    const theirs = path.replaceAll(/:(\w+)/g, (_, parameter: string) => of[parameter]!);
    const unknown = path.replaceAll(/:\w+/g, () => nothing);
    for (const stranger of path.startsWith('/v2/teams') ? [second] : [second, operator]) {
      const answer = await call(stranger, name, theirs);
      assert.ok([403, 404].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
      const none = await call(stranger, name, unknown);
      const without = ({ body }: Answer, ids: string[]) =>
        ids.reduce((text, id) => text.replaceAll(id, 'ID'), JSON.stringify({ ...body, requestId: '' }));
      assert.equal(without(answer, Object.values(of)), without(none, [nothing]));
    }
  });
}

/** Queries of lists that need one. */
const QUERIES: Record<string, () => string> = {
  getPage: () => `?url=${encodeURIComponent(urlOf('/'))}`,
  pageVersions: () => `?url=${encodeURIComponent(urlOf('/tracked'))}`,
  pageDiff: () => `?url=${encodeURIComponent(urlOf('/tracked'))}&to=1`,
  listPages: () => '?limit=100',
  activity: () => '?limit=100',
};
const lists = (Object.entries(ROUTES) as [string, Route][]).filter(
  ([, { method, path, open }]) => method === 'GET' && !path.includes('/:') && !open && !/research|developer/.test(path),
);

for (const [name, { path }] of lists) {
  test(`GET ${path} shows neither another team nor the operator anything of the first one`, async () => {
    for (const stranger of [second, operator]) {
      const response = await stranger.fetch(path + (QUERIES[name]?.() ?? ''));
      const text = await response.text();
      assert.doesNotMatch(text, MARK, `${response.status}`);
      const ids = Object.entries(made).flatMap(([prefix, of]) => (prefix === '/v2/teams' ? [] : Object.values(of)));
      for (const id of ids.filter((each) => each.length > 8)) assert.ok(!text.includes(id), id);
    }
  });
}

test('the lists of the first team do show these things', async () => {
  const shown = await Promise.all(
    ['/v2/jobs', '/v2/monitor', '/v2/agent', '/v2/index/hosts', '/v2/index/pages', '/v2/team/activity'].map(
      async (path) => (await first.fetch(path)).text(),
    ),
  );
  for (const text of shown) assert.match(text, MARK);
});

interface Scraped {
  success: boolean;
  error?: string;
  code?: string;
  data?: {
    json?: unknown;
    changeTracking?: { changeStatus: string };
    metadata: Record<string, unknown>;
    explanation?: { cache?: { state: string } };
  };
}

test('a site is not asked to confirm a copy that another team has', async () => {
  const lastAsked = () => asked.get('/tracked')!.at(-1);
  await second.scrape({ url: urlOf('/tracked'), maxAge: 0 });
  assert.equal(lastAsked(), undefined);
  await first.scrape({ url: urlOf('/tracked'), maxAge: 0 });
  assert.equal(lastAsked(), '"version-1"');
});

test('an explanation says of a page of another team what it says of a page that nobody has', async () => {
  const cacheOf = async (path: string) => {
    const { body } = await second.scrape<Scraped>({ url: urlOf(path), explain: true });
    return body.data?.explanation?.cache;
  };
  const note = await cacheOf('/in-a-batch');
  assert.equal(note?.state, 'miss');
  assert.deepEqual(note, await cacheOf('/that-nobody-has-read'));
});

test('a page that another team tracks is new', async () => {
  const look = async (team: RunningService) => {
    const { body } = await team.scrape<Scraped>({ url: urlOf('/tracked'), formats: ['markdown', 'changeTracking'] });
    return body.data!.changeTracking!.changeStatus;
  };
  assert.deepEqual([await look(second), await look(first)], ['new', 'same']);
});

test('an extraction of a whole site, and a crawl of it, read no page that only another team has found', async () => {
  const readsOf = async (team: RunningService) => {
    const before = asked.get('/read-by-one')!.length;
    const scrapeOptions = { maxAge: 0 };
    const id = await startJob(team, '/v2/extract', { urls: [urlOf('/*')], prompt: 'The price', scrapeOptions });
    await until(
      async () => (await read(team, `/v2/extract/${id}`)).body.status,
      (status) => status !== 'processing',
    );
    await runJob(team, CRAWL, { url: urlOf('/'), limit: 10, scrapeOptions });
    return asked.get('/read-by-one')!.length - before;
  };
  assert.deepEqual([await readsOf(second), (await readsOf(first)) > 0], [0, true]);
});

test('an idempotency key that another team has used is free', async () => {
  const begin = async (team: RunningService) => {
    const headers = { 'content-type': 'application/json', 'x-idempotency-key': '5d6a1f70-2f0e-4d5c-8a53-0c6f7f6f8a11' };
    const body = JSON.stringify({ urls: [urlOf('/in-a-batch')] });
    return (await team.fetch(BATCH, { method: 'POST', headers, body })).status;
  };
  assert.deepEqual([await begin(first), await begin(first), await begin(second)], [200, 409, 200]);
});

test('a page is not found by the words of links on pages of another team', async () => {
  const find = async (team: RunningService) => {
    const { body } = await team.post<{ data: { hits: { url: string }[] } }>('/v2/index/search', {
      query: 'quokkology',
      includeDomains: [HOST],
    });
    return body.data.hits.map(({ url }) => url).filter((url) => url.endsWith('/named'));
  };
  for (const team of [first, second]) await team.scrape({ url: urlOf('/named') });
  await first.scrape({ url: urlOf('/names') });
  await until(
    () => find(first),
    (found) => found.length === 1,
  );
  assert.deepEqual(await find(second), []);
});

test('a program for a template is written again for another team', async () => {
  const schema = { type: 'object', properties: { price: { type: 'string' } }, required: ['price'] };
  const formats = [{ type: 'deterministicJson', schema }];
  const asksOf = async (team: RunningService) => {
    const before = model.calls.length;
    const { body } = await team.scrape<Scraped>({ url: urlOf('/priced'), formats });
    assert.deepEqual(body.data?.json, { price: '49 EUR for a quokka.' }, JSON.stringify(body));
    return model.calls.length - before;
  };
  const [atFirst, again, byOther] = [await asksOf(first), await asksOf(first), await asksOf(second)];
  assert.deepEqual([atFirst, again, byOther], [1, 0, 1]);
});

test('an uploaded file is parsed for its own team only', async () => {
  const { body } = await first.post<{
    data: { uploadUrl: string; uploadRef: string; headers: Record<string, string> };
  }>('/v2/parse/upload-url', { filename: 'quokka.txt' });
  const { uploadUrl, uploadRef, headers } = body.data;
  assert.equal((await fetch(uploadUrl, { method: 'PUT', headers, body: 'The quokka file.' })).status, 200);
  for (const stranger of [second, operator]) {
    const { status, body: refusal } = await stranger.post('/v2/parse', { uploadRef });
    assert.ok(status >= 400 && status < 500, `${status}`);
    assert.doesNotMatch(JSON.stringify(refusal), MARK);
  }
  assert.equal((await first.post('/v2/parse', { uploadRef })).status, 200);
});

test('what another team deletes of a host is its own', async () => {
  const pagesOf = async (team: RunningService) =>
    (await read<{ data: { url: string }[] }>(team, '/v2/index/pages?limit=100')).body.data.map(({ url }) => url);
  const before = await pagesOf(first);
  const host = new URL(urlOf('/')).host;
  for (const stranger of [second, operator]) {
    const response = await stranger.fetch(`/v2/index/pages?host=${host}`, { method: 'DELETE' });
    const { data } = (await response.json()) as { data: { shared: boolean; has_more: boolean } };
    assert.deepEqual([data.shared, data.has_more], [false, false]);
    assert.deepEqual(await pagesOf(stranger), []);
  }
  assert.deepEqual(await pagesOf(first), before);
});

test('callers without a key find nothing of a team, and leave nothing to each other or to a team', async () => {
  const scrape = async (body: object): Promise<Answer<Scraped>> => {
    const headers = { 'content-type': 'application/json' };
    const response = await withoutKey('/v2/scrape', { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Scraped };
  };
  assert.notEqual((await scrape({ url: urlOf('/tracked'), lockdown: true })).status, 200);
  const own = await scrape({ url: urlOf('/keyless') });
  assert.equal(own.status, 200, JSON.stringify(own.body));
  assert.notEqual((await scrape({ url: urlOf('/keyless'), lockdown: true })).status, 200);
  for (const team of [first, second, operator]) {
    assert.notEqual((await team.scrape({ url: urlOf('/keyless'), lockdown: true })).status, 200);
  }
});

test('a folder that was filled by teams that share shows none of it once they are kept apart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-isolated-'));
  const settings = { TRAWL_DATA_DIR: join(folder, 'data'), TRAWL_API_KEY: 'the-operator' };
  const [shared, secret] = [urlOf('/shared-before'), urlOf('/own-before?access_token=s3cr3t')];
  const sees = async (team: RunningService, url: string) => {
    const locked = (await team.scrape({ url, lockdown: true })).status === 200;
    const stored = (await read(team, `/v2/index/page?url=${encodeURIComponent(url)}`)).status === 200;
    const { body: map } = await team.post<{ links: unknown }>('/v2/map', {
      url: urlOf('/'),
      ignoreQueryParameters: false,
    });
    const { body: found } = await team.post<{ data: unknown }>('/v2/index/search', { query: 'quokka' });
    const listed = await (await team.fetch('/v2/index/pages?limit=100')).text();
    const named = [JSON.stringify(map.links), JSON.stringify(found.data), listed].map((text) => text.includes(url));
    return [locked, stored, ...named].filter(Boolean).length;
  };
  const ALL = 5;
  let service = await startServiceHereWith(web, { ...settings, TRAWL_TEAM_ISOLATION: 'off' });
  try {
    const reader = await asTeam(service, 'reader');
    for (const url of [shared, secret]) await reader.scrape({ url });
    assert.deepEqual([await sees(reader, shared), await sees(reader, secret)], [ALL, ALL]);
    await service.stop();
    service = await startServiceHereWith(web, { ...settings, TRAWL_TEAM_ISOLATION: 'on' });
    const [again, other] = [await asTeam(service, 'reader'), await asTeam(service, 'other')];
    assert.deepEqual([await sees(again, shared), await sees(again, secret)], [0, ALL]);
    for (const team of [other, service]) assert.deepEqual([await sees(team, shared), await sees(team, secret)], [0, 0]);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

// A threat policy with a risk service: whom it asks about which URL, in which order, what it blocks, and what that costs.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import { CRAWL, until } from '../support/jobs.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { addTeams } from '../support/team-with.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const SCAN = 2;
const RISK = '127.0.0.1';
/** Each host has the score in its name. */
const SCORES = [0, 10, 60, 74, 75, 80, 90, 100];
const hostOf = (score: number) => `score-${score}.test`;

let web: Web;
let service: RunningProgram;
let dataDir: string;
let key: string;
/** The URLs that the risk service was asked about. */
let asked: string[] = [];
let isDown = false;

const at = (score: number, path = '/') => web.url(hostOf(score), path);

const riskService: Site = {
  '/*': (exchange) => {
    const url = exchange.query.get('of')!;
    asked.push(url);
    if (isDown) return send(exchange, '', { status: 500 });
    const score = Number(/score-(\d+)/.exec(url)?.[1] ?? 0);
    send(exchange, JSON.stringify({ score }), { type: 'application/json' });
  },
};
const siteOf = (score: number): Site => ({
  '/moved': (exchange) =>
    send(exchange, '', { status: 302, headers: { location: `${exchange.origin(hostOf(score + 10))}/landed` } }),
  '/*': (exchange) =>
    send(exchange, page(`Lighthouse ${score}`, `<p>${`Lighthouse ${score} has ${score} steps. `.repeat(9)}</p>`)),
});

const HARBOUR = 'harbour.test';
const LINKED = [0, 10, 60];
/** Its first visitor waits for ever. */
const harbourSite: Site = {
  '/': (exchange) => {
    if (exchange.visit === 1) return;
    const links = LINKED.map((score) => `<a href="${exchange.origin(hostOf(score))}/pier">${score}</a>`);
    send(exchange, page('Harbour', `<p>${'Boats leave the harbour at dawn. '.repeat(9)}</p>${links.join(' ')}`));
  },
};

const start = () =>
  startServiceWith(web, { TRAWL_RISK_URL: web.url(RISK, '/score?of={url}'), TRAWL_DATA_DIR: dataDir });

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-risk-'));
  web = await startWeb({
    [RISK]: riskService,
    [HARBOUR]: harbourSite,
    ...Object.fromEntries(SCORES.map((score) => [hostOf(score), siteOf(score)])),
  });
  service = await start();
  const settings = { plan: 'unlimited', threatProtection: 'allowed' as const, monthlyCredits: 10_000 };
  [key] = (await addTeams(service.dataDir, [{ name: 'careful', settings }])) as [string];
  const { status } = await call('PUT', '/v2/team/threat-protection', { mode: 'normal' });
  assert.equal(status, 200);
});
after(async () => {
  await service?.stop();
  await web?.stop();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(() => {
  asked = [];
});

interface Reply {
  success: boolean;
  error?: string;
  details?: { rule: string };
  creditsUsed: number;
  warning?: string;
  explain?: { blocked: number };
  // biome-ignore lint/suspicious/noExplicitAny: each test knows its answer
  data: any;
}

async function call(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await service.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: (await response.json()) as Reply };
}

const remaining = async () => (await call('GET', '/v2/team/credit-usage')).body.data.remainingCredits as number;

/** With what it cost by the ledger. */
async function paid(path: string, body: object) {
  const had = await remaining();
  const answer = await call('POST', path, body);
  return { ...answer, cost: had - (await remaining()) };
}
/** Past the cache, so that each scrape costs the same. */
const scrape = (url: string, threatProtection?: object) =>
  paid('/v2/scrape', { url, maxAge: 0, ...(threatProtection && { threatProtection }) });

describe('the score of the service', () => {
  test('below the threshold allows, and asking costs 2 credits', async () => {
    const { status, body, cost } = await scrape(at(74));
    assert.deepEqual([status, body.data.metadata.creditsUsed, cost], [200, 1 + SCAN, 1 + SCAN]);
    assert.deepEqual(asked, [at(74)]);
  });

  for (const score of [75, 90]) {
    test(`${score} blocks, before the site gets a request, and asking costs the same`, async () => {
      const { status, body, cost } = await scrape(at(score));
      assert.deepEqual([status, body.details?.rule, cost], [403, 'risk', SCAN]);
      assert.match(body.error!, new RegExp(`^Blocked by threat protection: risk score ${score} \\(threshold 75\\)\\.`));
      assert.deepEqual([asked, web.requests(hostOf(score))], [[at(score)], 0]);
    });
  }

  test('counts for each hop of a redirect, in their order, also when the answers come from memory', async () => {
    const first = await scrape(at(0, '/moved'));
    assert.deepEqual([first.status, first.cost], [200, 1 + 2 * SCAN]);
    assert.deepEqual(asked, [at(0, '/moved'), at(10, '/landed')]);
    const again = await scrape(at(0, '/moved'));
    assert.deepEqual([again.cost, asked.length], [1 + 2 * SCAN, 2]);
  });

  test('is compared with the threshold of the request', async () => {
    const { status, body, cost } = await scrape(at(60), { riskScoreThreshold: 60 });
    assert.deepEqual([status, cost], [403, SCAN]);
    assert.match(body.error!, /risk score 60 \(threshold 60\)/);
  });
});

describe('nobody is asked, and nothing is paid for', () => {
  const cases: [what: string, score: number, policy: object, rule: string | undefined][] = [
    ['a host on the whitelist', 100, { whitelist: [hostOf(100)], blockedTlds: ['test'] }, undefined],
    ['a host on the blacklist', 0, { blacklist: [hostOf(0)] }, 'blacklist'],
    ['a top-level domain that is blocked', 0, { blockedTlds: ['test'] }, 'blockedTlds'],
  ];
  for (const [what, score, policy, rule] of cases) {
    test(what, async () => {
      const { status, body, cost } = await scrape(at(score, '/free'), policy);
      assert.deepEqual([status, body.details?.rule, cost], rule ? [403, rule, 0] : [200, undefined, 1]);
      assert.deepEqual(asked, []);
    });
  }

  test('with `manual-only`', async () => {
    await call('PUT', '/v2/team/threat-protection', { mode: 'manual-only' });
    const { status, cost } = await scrape(at(100, '/manual'));
    await call('PUT', '/v2/team/threat-protection', { mode: 'normal' });
    assert.deepEqual([status, cost, asked], [200, 1, []]);
  });
});

describe('a search', () => {
  const found = [10, 60, 80];
  const search = { query: 'lighthouse steps', limit: 20, explain: true };
  const urlsIn = ({ data }: Reply): string[] => data.web.map(({ url }: { url: string }) => url);
  const hostsIn = (body: Reply) =>
    urlsIn(body)
      .map((url) => new URL(url).hostname)
      .toSorted();
  const off = { mode: 'normal', whitelist: ['*.test'] };

  before(async () => {
    for (const score of found) assert.equal((await scrape(at(score, '/steps'), off)).status, 200);
    // A search waits only briefly for pages that are not indexed yet.
    await until(
      () => call('POST', '/v2/search', { ...search, threatProtection: off }),
      ({ body }) => found.every((score) => urlsIn(body).includes(at(score, '/steps'))),
    );
  });

  test('leaves out results with a high score, says how many, and asks about each URL once', async () => {
    const all = await call('POST', '/v2/search', { ...search, threatProtection: off });
    const known = urlsIn(all.body);
    const bad = known.filter((url) => /score-(75|80|90|100)/.test(url)).length;
    assert.deepEqual(asked, []);
    const { body, cost } = await paid('/v2/search', search);
    assert.equal(body.explain?.blocked, bad);
    assert.equal(hostsIn(body).length, known.length - bad);
    assert.equal(new Set(asked).size, asked.length);
    assert.deepEqual([body.creditsUsed, cost], [2 + known.length * SCAN, 2 + known.length * SCAN]);
    asked = [];
    // The pages that it scrapes belong to the same request.
    const scraped = await paid('/v2/search', { ...search, scrapeOptions: { formats: ['markdown'], maxAge: 0 } });
    const price = 2 + known.length * SCAN + (known.length - bad);
    assert.deepEqual([scraped.body.creditsUsed, scraped.cost, asked], [price, price, []]);
  });

  test('puts further results in the places of those that it leaves out', async () => {
    const all = await call('POST', '/v2/search', { ...search, threatProtection: off });
    const first = new URL(urlsIn(all.body)[0]!).hostname;
    const others = urlsIn(all.body).filter((url) => new URL(url).hostname !== first);
    const listed = await call('POST', '/v2/search', { ...search, limit: 1, threatProtection: { blacklist: [first] } });
    assert.equal(urlsIn(listed.body).length, 1, JSON.stringify(listed.body));
    assert.ok(urlsIn(listed.body).every((url) => others.includes(url)));
    assert.ok(listed.body.explain!.blocked >= 1);
    // As many as there are, and each URL is paid for once.
    const safe = urlsIn(all.body).filter((url) => !/score-(75|80|90|100)/.test(url)).length;
    const { body } = await paid('/v2/search', { ...search, limit: safe });
    assert.equal(urlsIn(body).length, safe);
    assert.equal(body.creditsUsed, 2 + (safe + body.explain!.blocked) * SCAN);
  });

  test('judges its results by its own terms, and its pages by those of `scrapeOptions`', async () => {
    const strict = { formats: ['markdown'], maxAge: 0, threatProtection: { riskScoreThreshold: 50 } };
    const { body, cost } = await paid('/v2/search', { ...search, scrapeOptions: strict });
    const codes = new Map<string, string | undefined>(
      body.data.web.map(({ url, metadata }: { url: string; metadata: { errorCode?: string } }) => [
        url,
        metadata.errorCode,
      ]),
    );
    assert.deepEqual(
      [codes.get(at(10, '/steps')), codes.get(at(60, '/steps')), codes.has(at(80, '/steps'))],
      [undefined, 'unsafe_domain_blocked', false],
    );
    const read = [...codes.values()].filter((code) => code === undefined).length;
    const judged = codes.size + body.explain!.blocked;
    assert.deepEqual([body.creditsUsed, cost], [2 + judged * SCAN + read, 2 + judged * SCAN + read]);
  });
});

fullTest('a crawl goes on after kill -9 with the policy of its team and the terms of its request', async () => {
  const { body } = await call('POST', CRAWL, {
    url: web.url(HARBOUR),
    allowExternalLinks: true,
    threatProtection: { blacklist: [hostOf(0)], riskScoreThreshold: 60 },
  });
  await until(
    async () => web.requests(HARBOUR, '/'),
    (visits) => visits === 1,
  );
  await service.kill();
  service = await start();
  const path = `${CRAWL}/${(body as unknown as { id: string }).id}`;
  type Job = { status: string; data: { metadata: { sourceURL: string } }[] };
  const job = await until(
    async () => (await call('GET', path)).body as unknown as Job,
    ({ status }) => status !== 'scraping',
  );
  assert.deepEqual(
    job.data.map(({ metadata }) => metadata.sourceURL).toSorted(),
    [at(10, '/pier'), web.url(HARBOUR)].toSorted(),
  );
  const { errors } = (await call('GET', `${path}/errors`)).body as unknown as {
    errors: { url: string; error: string }[];
  };
  const errorOf = (url: string) => errors.find((problem) => problem.url === url)?.error ?? '';
  assert.match(errorOf(at(0, '/pier')), /^Blocked by the blacklist of the request/);
  assert.match(errorOf(at(60, '/pier')), /risk score 60 \(threshold 60\)/);
  assert.deepEqual([web.requests(hostOf(0), '/pier'), web.requests(hostOf(60), '/pier')], [0, 0]);
});

describe('a service that is down', () => {
  before(() => {
    isDown = true;
  });

  test('blocks with `failurePolicy: closed`, and costs nothing', async () => {
    const { status, body, cost } = await scrape(at(0, '/closed'));
    assert.deepEqual([status, body.details?.rule, cost], [403, 'unchecked', 0]);
    assert.match(body.error!, /no risk service could judge the URL, and the failure policy is closed/);
    assert.deepEqual([asked, web.requests(hostOf(0), '/closed')], [[at(0, '/closed')], 0]);
  });

  test('allows with `failurePolicy: open`, says so, and costs nothing', async () => {
    const { status, body, cost } = await scrape(at(0, '/open'), { failurePolicy: 'open' });
    assert.deepEqual([status, cost], [200, 1]);
    assert.match(
      body.data.warning ?? body.warning,
      /One URL was not checked, because a risk service did not answer\. `failurePolicy: open` allows that\./,
    );
  });

  test('does not matter for what your lists decide', async () => {
    const { status } = await scrape(at(0, '/listed'), { whitelist: [hostOf(0)] });
    assert.deepEqual([status, asked], [200, []]);
  });
});

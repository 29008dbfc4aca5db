// Monthly budgets over HTTP: what each call answers when nothing is left, and what happens when credits run out on the way.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openKeyRing } from '../../src/compose/commands/keys.ts';
import { readConfig } from '../../src/config/settings.ts';
import type { KeyLimits } from '../../src/contracts/team/policy.ts';
import { storeSettings } from '../support/engines.ts';
import { until } from '../support/jobs.ts';
import { makePdf } from '../support/pdf.ts';
import { useService } from '../support/use-service.ts';
import { page, type Site, send } from '../support/web/reply.ts';

const PAGES = 12;
const words = (name: string) =>
  `<p>${`The lamp number ${name} has a switch, a cable and a bulb that lasts. `.repeat(6)}</p>`;

let ring: Awaited<ReturnType<typeof openKeyRing>>;

const links = Array.from({ length: PAGES }, (_, at) => `<a href="/page/${at}">Lamp ${at}</a>`).join(' ');
const lamps: Site = {
  '/': (exchange) => send(exchange, page('Lamps', words('all') + links)),
  '/page/*': (exchange) => send(exchange, page(`Lamp ${exchange.tail}`, words(exchange.tail))),
  '/file.pdf': (exchange) =>
    send(exchange, makePdf(Array.from({ length: 6 }, (_, at) => ({ lines: [`Page ${at} of the file.`] }))), {
      type: 'application/pdf',
    }),
};

const scene = useService({}, undefined, { 'lamps.test': lamps });
before(async () => {
  ring = await openKeyRing(readConfig(await storeSettings(scene.service.dataDir)));
});
after(() => ring?.close());

interface Answer {
  status: number;
  body: Record<string, unknown> & { error?: string };
}

/** Other files have teams in the same service. */
const nameOf = (team: string) => `budgets-${team}`;

/** A team with this budget, as one of its keys sees the service. */
async function open(team: string, monthlyCredits: number | null, limits: KeyLimits = {}) {
  await ring.setTeam(nameOf(team), { monthlyCredits, plan: 'unlimited' });
  const { key } = await ring.create(nameOf(team), { limits });
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(scene.service.url + path, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const left = async () => {
    const { body } = await call('GET', '/v2/team/credit-usage');
    return body.data as { remainingCredits: number; planCredits: number };
  };
  const scrape = (path: string, more = {}) =>
    call('POST', '/v2/scrape', { url: scene.web.url('lamps.test', path), maxAge: 0, ...more });
  return { call, left, scrape };
}

const nextMonth = (): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
};
const refusal = (needs: number, left: number, limit: number, whose = `the ${limit} of your team's month`): object => ({
  success: false,
  code: 'INSUFFICIENT_CREDITS',
  error: `Insufficient credits to perform this request. It needs ${needs === 1 ? '1 credit' : `${needs} credits`}; ${left} of ${whose} are left. Ask the operator of this server for more, or wait until ${nextMonth()} (UTC).`,
});

const ID = '0197f1f0-0000-7000-8000-000000000000';
const url = 'http://lamps.test/';
const json = { type: 'json', prompt: 'The lamps' };

test('each call that costs something is refused with what it needs when nothing is left', async () => {
  const { call } = await open('broke', 0);
  const calls: [needs: number, method: string, path: string, body?: object][] = [
    [1, 'POST', '/v2/scrape', { url }],
    [5, 'POST', '/v2/scrape', { url, formats: [json] }],
    [13, 'POST', '/v2/scrape', { url, formats: [json, { type: 'question', question: 'Why?' }], redactPII: true }],
    [5, 'POST', '/v2/scrape', { url, proxy: 'enhanced' }],
    [5, 'POST', '/v2/scrape', { url, lockdown: true }],
    [2, 'POST', '/v2/scrape', { url, zeroDataRetention: true }],
    [1, 'POST', '/v2/parse', { uploadRef: 'file' }],
    [15, 'POST', '/v2/batch/scrape', { urls: [url, url, url], formats: [json] }],
    [1, 'POST', '/v2/crawl', { url }],
    [25, 'POST', '/v2/crawl', { url, limit: 25 }],
    [10, 'POST', '/v2/crawl', { url, limit: 5, zeroDataRetention: true }],
    [1, 'POST', '/v2/crawl/params-preview', { url, prompt: 'All lamps.' }],
    [1, 'POST', '/v2/map', { url }],
    [2, 'POST', '/v2/search', { query: 'lamps' }],
    [6, 'POST', '/v2/search', { query: 'lamps', limit: 11, sources: ['web', 'news'] }],
    [20, 'POST', '/v2/search', { query: 'lamps', limit: 11, enterprise: ['zdr'] }],
    [2, 'GET', '/v2/search/research/papers?query=lamps'],
    [2, 'POST', '/v2/browser', {}],
    [2, 'POST', `/v2/scrape/${ID}/interact`, { code: '1' }],
    [7, 'POST', `/v2/scrape/${ID}/interact`, { prompt: 'Click.' }],
    [1, 'POST', '/v2/agent', { prompt: 'Find lamps.' }],
    [1, 'POST', '/v2/extract', { urls: [url], prompt: 'Find lamps.' }],
    [1, 'POST', `/v2/monitor/${ID}/run`],
  ];
  for (const [needs, method, path, body] of calls) {
    const answer = await call(method, path, body);
    assert.equal(answer.status, 402, `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
    const { success, code, error } = answer.body;
    assert.deepEqual({ success, code, error }, refusal(needs, 0, 0), `${method} ${path}`);
  }
  assert.equal((await call('GET', '/v2/team/activity')).status, 200);
});

test('32 callers at once spend a budget fully, and never more', async () => {
  const BUDGET = 40;
  const { scrape, left } = await open('many', BUDGET);
  const answers = await Promise.all(
    Array.from({ length: 32 }, async (_, caller) => {
      const own: Answer[] = [];
      for (let turn = 0; turn < 2; turn += 1) own.push(await scrape(`/page/${caller}?${turn}`));
      return own;
    }),
  );
  const served = answers.flat().filter(({ status }) => status === 200);
  const refused = answers.flat().filter(({ status }) => status !== 200);
  assert.equal(served.length, BUDGET);
  assert.ok(refused.every(({ status }) => status === 402));
  const sum = served.reduce((total, { body }) => {
    const { metadata } = body.data as { metadata: { creditsUsed: number } };
    return total + metadata.creditsUsed;
  }, 0);
  assert.equal(sum, BUDGET);
  const { remainingCredits, planCredits } = await left();
  assert.deepEqual([remainingCredits, planCredits], [0, BUDGET]);
});

test('a page is delivered even if it costs more than is left, and the answer says what was charged', async () => {
  const { scrape, left } = await open('files', 4);
  const { status, body } = await scrape('/file.pdf');
  assert.equal(status, 200);
  const { metadata } = body.data as { metadata: { creditsUsed: number; numPages: number } };
  assert.deepEqual([metadata.numPages, metadata.creditsUsed], [6, 4]);
  assert.equal((await left()).remainingCredits, 0);
});

test('a crawl stops when the credits are used up: what was read stays, and nothing more is charged', async () => {
  const { call, left } = await open('crawler', 5);
  const started = await call('POST', '/v2/crawl', { url: scene.web.url('lamps.test'), ignoreRobotsTxt: true });
  assert.equal(started.status, 200);
  const status = async () => (await call('GET', `/v2/crawl/${started.body.id}`)).body;
  const ended = await until(status, (job) => job.status !== 'scraping');
  assert.equal(ended.status, 'failed');
  assert.deepEqual([ended.completed, ended.creditsUsed, (ended.data as unknown[]).length], [5, 5, 5]);
  const { error } = refusal(1, 0, 5) as { error: string };
  const stopped = 'The job has stopped because the credits are used up. Pages that were read by then stay available.';
  assert.equal(ended.error, `${stopped} ${error}`);
  assert.equal((await left()).remainingCredits, 0);
  const events = async () =>
    (await call('GET', '/v2/team/audit?action=limit.reached')).body.data as { target: string; details: object }[];
  const recorded = await until(events, ({ length }) => length > 0);
  assert.deepEqual(
    recorded.map(({ target, details }) => [target, details]),
    [['crawl', { code: 'INSUFFICIENT_CREDITS' }]],
  );
});

test('a key has a budget of its own, and the budget of its team counts as well', async () => {
  const limited = await open('keys', 100, { monthlyCredits: 2 });
  const other = await open('keys', 100);
  for (const path of ['/page/1', '/page/2']) assert.equal((await limited.scrape(path)).status, 200);
  const { status, body } = await limited.scrape('/page/3');
  assert.equal(status, 402);
  assert.deepEqual(body, refusal(1, 0, 2, 'the 2 that this API key may use in a month'));
  assert.equal((await other.scrape('/page/3')).status, 200);
  assert.equal((await other.left()).remainingCredits, 97);
});

test('a budget that another process changes counts for the next request', async () => {
  const { scrape, left } = await open('raised', 1);
  assert.equal((await scrape('/page/1')).status, 200);
  assert.equal((await scrape('/page/2')).status, 402);
  await ring.setTeam(nameOf('raised'), { monthlyCredits: 2 });
  await until(left, ({ planCredits }) => planCredits === 2);
  assert.equal((await scrape('/page/2')).status, 200);
  await ring.setTeam(nameOf('raised'), { monthlyCredits: null });
  await until(left, ({ planCredits }) => planCredits > 2);
  assert.equal((await scrape('/page/3')).status, 200);
});

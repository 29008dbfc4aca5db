// The tools of a run, against a real web on loopback: what is stored, what it costs, and where the limits are.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { RunCancelled } from '../../../../src/jobs/runs/run-handler.ts';
import { createWebTools, type WebContext } from '../../../../src/operations/gather/create-web-tools.ts';
import { isRefused } from '../../../../src/operations/gather/web-tools.ts';
import { type OpenOperations, openOperations } from '../../../support/operations.ts';
import { createMemoryRun, type MemoryRun } from '../../../support/run-tools.ts';
import { type Exchange, reply, send } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

const text = 'The red lamp costs 20 euros and is in stock. '.repeat(8);
const linked = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');

let web: Web;
let operations: OpenOperations;

before(async () => {
  web = await startWeb({
    'lamps.test': {
      '/': reply(
        `<html><title>Lamps</title><main><h1>Lamps</h1><p>${text}</p>${linked('/red', '/blue', '/away')}</main>`,
      ),
      '/red': reply(`<html><title>Red</title><main><h1>Red lamp</h1><p>${text}</p></main>`),
      '/blue': reply(`<html><title>Blue</title><main><h1>Blue lamp</h1><p>${text}</p></main>`),
      '/away': (exchange: Exchange) =>
        send(exchange, '', { status: 302, headers: { location: web.url('elsewhere.test', '/') } }),
      '/long': reply(`<html><title>Long</title><main><h1>Long</h1>${`<p>${text}</p>`.repeat(400)}</main>`),
      '/headers': (exchange) => send(exchange, `<main><p>${exchange.headers['x-secret'] ?? 'none'} ${text}</p></main>`),
    },
    'elsewhere.test': { '/': reply(`<html><main><p>Elsewhere. ${text}</p></main>`) },
  });
  operations = await openOperations(web.settings);
});
after(async () => {
  await operations.close();
  await web.stop();
});

function toolsOf(run: MemoryRun, more: Partial<WebContext> = {}) {
  return createWebTools(operations.deps, {
    run,
    caller: operations.caller,
    partOf: { operation: 'scrape', job: 'run' },
    limits: { maxPagesPerHost: 20, maxCredits: 100 },
    zeroDataRetention: false,
    baseUrl: '',
    ...more,
  });
}

const usage = async () => {
  const now = Date.now();
  const bins = await operations.store.ledger.usage(operations.caller.team.id, {
    ...{ from: now - 3_600_000, until: now + 3_600_000, binMs: 3_600_000 },
  });
  return bins.reduce((sum, { credits }) => sum + credits, 0);
};

test('a page is one step with its credits, which the ledger does not see yet', async () => {
  const run = createMemoryRun();
  const before = await usage();
  const found = await toolsOf(run).scrape(web.url('lamps.test', '/'));
  assert.ok(!isRefused(found));
  assert.equal(found.title, 'Lamps');
  assert.match(found.markdown, /red lamp costs/);
  assert.ok(found.links.includes(web.url('lamps.test', '/red')));
  assert.deepEqual(
    run.steps.map(({ name, credits }) => [name, credits]),
    [['scrape', 1]],
  );
  assert.equal(await usage(), before);
});

test('the same call is done once, also at the same time and after a restart', async () => {
  const run = createMemoryRun();
  const tools = toolsOf(run);
  const url = web.url('lamps.test', '/red');
  const [first, second] = await Promise.all([tools.scrape(url), tools.scrape(`${url}#price`)]);
  assert.deepEqual(first, second);
  assert.equal(run.steps.length, 1);
  const again = createMemoryRun({ earlier: run.steps });
  assert.deepEqual(await toolsOf(again).scrape(url), first);
  assert.equal(again.steps.length, 1);
});

test('formats are asked for with the page, and their values say where they stand', async () => {
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  const run = createMemoryRun();
  const found = await toolsOf(run).scrape(web.url('lamps.test', '/red'), { formats: [{ type: 'json', schema }] });
  assert.ok(!isRefused(found));
  assert.deepEqual(found.json, { title: 'Red lamp' });
  assert.equal(found.citations?.['json.title']?.text, 'Red lamp');
  assert.match(found.warning ?? '', /without a language model/);
  assert.equal(run.spent().credits, 5);
});

test('what would exceed the credits is refused, and a run that is taken up again gets what it had', async () => {
  const run = createMemoryRun();
  const limits = { maxPagesPerHost: 20, maxCredits: 2 };
  const tools = toolsOf(run, { limits });
  const answers = await Promise.all(['/', '/red', '/blue'].map((path) => tools.scrape(web.url('lamps.test', path))));
  assert.deepEqual(answers.map((answer) => (isRefused(answer) ? answer.code : 'read')).toSorted(), [
    'max_credits',
    'read',
    'read',
  ]);
  assert.equal(run.spent().credits, 2);
  const again = toolsOf(createMemoryRun({ earlier: run.steps }), { limits });
  assert.deepEqual(
    await Promise.all(['/', '/red', '/blue'].map((path) => again.scrape(web.url('lamps.test', path)))),
    answers,
  );
});

test('a host is read only so often, and the same page does not count twice', async () => {
  const tools = toolsOf(createMemoryRun(), { limits: { maxPagesPerHost: 2, maxCredits: 100 } });
  const codes: string[] = [];
  for (const path of ['/', '/', '/red', '/blue']) {
    const answer = await tools.scrape(web.url('lamps.test', path));
    codes.push(isRefused(answer) ? answer.code : 'read');
  }
  assert.deepEqual(codes, ['read', 'read', 'read', 'max_pages_per_host']);
});

test('a run that is limited to URLs reads no others, neither directly nor by a redirect, nor finds them', async () => {
  const run = createMemoryRun();
  const home = web.url('lamps.test', '/');
  const tools = toolsOf(run, { limits: { onlyWithin: [home], maxPagesPerHost: 20, maxCredits: 100 } });
  const direct = await tools.scrape(web.url('elsewhere.test', '/'));
  assert.ok(isRefused(direct) && direct.code === 'outside_of_urls');
  const redirected = await tools.scrape(web.url('lamps.test', '/away'));
  assert.ok(isRefused(redirected) && redirected.code === 'outside_of_urls');
  assert.ok(!JSON.stringify(run.steps).includes('Elsewhere.'));
  const mapped = await tools.map(home);
  assert.ok(!isRefused(mapped));
  assert.ok(mapped.length >= 3 && mapped.every(({ url }) => url.startsWith(home)));
  const outside = await tools.map(web.url('elsewhere.test', '/'));
  assert.ok(isRefused(outside) && outside.code === 'outside_of_urls');
  const found = await tools.search('lamp elsewhere euros', { hosts: [] });
  assert.ok(isRefused(found) || found.every(({ url }) => url.startsWith(home)));
});

test('a search finds pages that were read, and costs what a search costs', async () => {
  const run = createMemoryRun();
  const tools = toolsOf(run);
  await tools.scrape(web.url('lamps.test', '/blue'));
  const before = await usage();
  const found = await tools.search('blue lamp', { hosts: ['lamps.test'] });
  assert.ok(!isRefused(found));
  assert.equal(found[0]?.url, web.url('lamps.test', '/blue'));
  assert.equal(run.steps.at(-1)?.credits, 2);
  assert.equal(await usage(), before);
});

test('pages that cannot be read are refused in words, and nothing is thrown', async () => {
  const tools = toolsOf(createMemoryRun());
  for (const url of ['http://nowhere.invalid/', 'not a url', 'http://10.1.2.3/', 'ftp://lamps.test/']) {
    const answer = await tools.scrape(url);
    assert.ok(isRefused(answer), url);
    assert.ok(answer.refused.length > 10 && answer.code.length > 2, url);
  }
  const query = await tools.search('x'.repeat(600));
  assert.ok(isRefused(query) && query.code === 'BAD_REQUEST');
  const mapped = await tools.map('not a url');
  assert.ok(isRefused(mapped));
});

test('a cancelled run and a full disk are no answers: they are thrown', async () => {
  const run = createMemoryRun();
  const tools = toolsOf(run);
  const reading = tools.scrape(web.url('lamps.test', '/headers'));
  run.stop(new RunCancelled());
  await assert.rejects(reading, RunCancelled);
  const fault = new ServiceError('STORAGE_UNAVAILABLE');
  const broken = createWebTools(
    { ...operations.deps, ledger: { add: () => Promise.reject(fault) } },
    { ...contextOf(createMemoryRun()), zeroDataRetention: true },
  );
  await assert.rejects(broken.scrape(web.url('lamps.test', '/red')), fault);
});

const contextOf = (run: MemoryRun): WebContext => ({
  run,
  caller: operations.caller,
  partOf: { operation: 'scrape' },
  limits: { maxPagesPerHost: 20, maxCredits: 100 },
  zeroDataRetention: false,
  baseUrl: '',
});

test('a long page is cut, which its warning says', async () => {
  const found = await toolsOf(createMemoryRun()).scrape(web.url('lamps.test', '/long'));
  assert.ok(!isRefused(found));
  assert.equal(found.markdown.length, 80_000);
  assert.match(found.warning ?? '', /only the first 80000 of \d+ characters/);
});

// POST /v2/scrape and /v2/parse with `explain`: why the answer is as it is, also for requests that failed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HealthDetails } from '../../src/contracts/operator/health.ts';
import type { Explanation } from '../../src/contracts/scrape/explanation.ts';
import { runtimeProblem } from '../../src/encoders/model-runtime/model-runtime.ts';
import { BROWSER_SETTINGS, NEEDS_BROWSER } from '../support/browser/browser.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { useService } from '../support/use-service.ts';

interface Scraped {
  success: boolean;
  code?: string;
  data: { metadata: Record<string, unknown>; explanation?: Explanation };
  details?: { explanation?: Explanation; rule?: string };
}

const scene = useService();

async function explain(url: string, options: object = {}, service: RunningService = scene.service) {
  const { status, body } = await service.scrape<Scraped>({ url, explain: true, ...options });
  const explanation = body.data?.explanation ?? body.details?.explanation;
  assert.ok(explanation, `${status} ${body.code}`);
  return { status, body, explanation };
}

const trail = ({ attempts }: Explanation) =>
  attempts.map(({ engine, proxy, outcome }) => `${engine} ${proxy} ${outcome}`);

test('what the reader has read is told, and nothing where it is off', {
  skip: runtimeProblem() ?? false,
}, async (t) => {
  const url = scene.web.url('news.test', '/article/1');
  const formats = [{ type: 'question', question: 'Who wrote the article?' }];
  const { explanation } = await explain(url, { formats });
  assert.ok(explanation.reader!.windows > 0);
  const off = await startServiceHereWith(scene.web, { TRAWL_READER: 'off' });
  t.after(() => off.stop());
  assert.equal((await explain(url, { formats }, off)).explanation.reader, undefined);
  const health = await (await fetch(new URL('/v0/health/details', off.url))).json();
  assert.equal((health as HealthDetails).reader, 'off');
});

test('without `explain` there is no explanation, neither in an answer nor in an error, and none is stored', async () => {
  const url = scene.web.url('redirect.test', '/to/301');
  const plain = await scene.service.scrape<Scraped>({ url });
  assert.equal('explanation' in plain.body.data, false);
  const failed = await scene.service.scrape<Scraped>({ url: scene.web.url('nowhere.invalid') });
  assert.equal(failed.body.success, false);
  assert.equal('details' in failed.body, false);
  const { body } = await explain(url, { maxAge: 0 });
  const again = await scene.service.fetch(`/v2/scrape/${body.data.metadata.scrapeId}`);
  assert.equal((await again.text()).includes('explanation'), false);
});

test('a page that was fetched: redirects, the plan and its reason, verdict, content, cost and times', async () => {
  const url = scene.web.url('redirect.test', '/cross-host');
  const { explanation } = await explain(url, { maxAge: 0 });
  const { attempts, plan, verdict, content, cache, cost, stages, totalMs } = explanation;
  assert.deepEqual(attempts[0]?.responses, [
    { url, status: 302 },
    { url: scene.web.url('other.test', '/landed'), status: 200 },
  ]);
  assert.deepEqual(trail(explanation), ['http basic ok']);
  assert.match(plan?.reason ?? '', /Plain HTTP is the cheapest way/);
  assert.deepEqual([plan?.attempts[0]?.engine, plan?.attempts[0]?.after], ['http', undefined]);
  assert.deepEqual(verdict, { kind: 'content', reason: '' });
  assert.equal(content?.selection, 'main-content');
  assert.deepEqual([cache?.state, cache?.isStored], ['bypassed', true]);
  assert.deepEqual(cost, { credits: 1, items: [{ item: 'page', credits: 1 }] });
  assert.deepEqual(
    stages.map(({ stage }) => stage),
    ['queue', 'cache', 'fetch', 'formats', 'changes', 'store'],
  );
  assert.ok(stages.every(({ ms }) => ms >= 0 && ms <= totalMs + 1));
  assert.equal(explanation.threatProtection, 'off');
});

test('the cache answers, and says so', async () => {
  const url = scene.web.url('other.test', '/landed?cached');
  const first = await explain(url);
  assert.deepEqual([first.explanation.cache?.state, first.explanation.attempts.length], ['miss', 1]);
  const { explanation } = await explain(url);
  assert.equal(explanation.cache?.state, 'hit');
  assert.match(explanation.cache?.reason ?? '', /The cache had a copy/);
  assert.deepEqual([explanation.attempts, explanation.plan], [[], undefined]);
});

test('zero data retention is explained like anything else, and stores nothing', async () => {
  const url = scene.web.url('other.test', '/landed?traceless');
  const { explanation } = await explain(url, { zeroDataRetention: true });
  assert.equal(explanation.cache?.isStored, false);
  assert.deepEqual(explanation.cost.items, [
    { item: 'page', credits: 1 },
    { item: 'zeroDataRetention', credits: 1 },
  ]);
});

test('what stands in place of a page is named, and costs nothing', async () => {
  const { explanation } = await explain(scene.web.url('login.test', '/account'));
  assert.equal(explanation.verdict?.kind, 'login-wall');
  assert.deepEqual(explanation.cost, { credits: 0, items: [] });
});

describe('a scrape that failed is explained in the details of its error', () => {
  test('a host that does not exist, and what the attempt cost', async () => {
    const { body, explanation } = await explain(scene.web.url('nowhere.invalid'));
    assert.equal(body.code, 'SCRAPE_DNS_RESOLUTION_ERROR');
    assert.equal(explanation.attempts[0]?.error?.code, body.code);
    assert.deepEqual(explanation.cost.items, [{ item: 'unknownHost', credits: 1 }]);
  });

  test('a redirect that never ends shows where it went', async () => {
    const { body, explanation } = await explain(scene.web.url('redirect.test', '/loop'));
    assert.equal(body.code, 'SCRAPE_SITE_ERROR');
    assert.ok(explanation.attempts[0]!.responses.length > 0);
    assert.ok(explanation.attempts[0]!.responses.every(({ status }) => status >= 300 && status < 400));
  });

  test('a redirect to a forbidden address does not show that address', async () => {
    const { body, explanation } = await explain(
      scene.web.url('redirect.test', '/to/302?url=http://169.254.169.254/latest/'),
    );
    assert.equal(body.success, false);
    const asked = explanation.attempts[0]?.responses.map(({ url, status }) => [new URL(url).hostname, status]);
    assert.deepEqual(asked, [['redirect.test', 302]]);
  });

  test('an attempt that the time cut off is there, unfinished', async () => {
    const { body, explanation } = await explain(scene.web.url('fault.test', '/stalled-headers'), { timeout: 1_000 });
    assert.equal(body.code, 'SCRAPE_TIMEOUT');
    assert.deepEqual(trail(explanation), ['http basic unfinished']);
  });

  test('a cache that may only be read and has nothing', async () => {
    const { body, explanation } = await explain(scene.web.url('other.test', '/none'), { lockdown: true });
    assert.equal(body.code, 'SCRAPE_LOCKDOWN_CACHE_MISS');
    assert.deepEqual([explanation.attempts, explanation.cost.credits], [[], 1]);
  });

  test('a forbidden domain keeps the details that it had', async (t) => {
    const service = await startServiceHereWith(scene.web, { TRAWL_TEAM_FEATURES: 'threat-protection' });
    t.after(() => service.stop());
    const url = scene.web.url('other.test', '/landed');
    const threatProtection = { mode: 'manual-only', blacklist: ['other.test'] };
    const { status, body, explanation } = await explain(url, { threatProtection }, service);
    assert.equal(status, 403, JSON.stringify(body));
    assert.equal(explanation.threatProtection, 'refused');
    assert.notEqual(body.details?.rule, undefined);
  });
});

test('no header, cookie or address of the server is part of an explanation', async () => {
  const headers = { authorization: 'Bearer top-secret', cookie: 'session=top-secret' };
  const { explanation } = await explain(scene.web.url('echo.test', '/'), { headers });
  const text = JSON.stringify(explanation);
  assert.doesNotMatch(text, /top-secret|authorization|cookie:/i);
  assert.doesNotMatch(text, /127\.0\.0\.1|\[::1\]/);
});

test('an upload is explained: no cache, no attempts, which parser, and what failed', async () => {
  const parse = async (name: string, text: string, options: object = {}) => {
    const form = new FormData();
    form.set('file', new File([text], name));
    form.set('options', JSON.stringify({ explain: true, ...options }));
    const answer = await scene.service.fetch('/v2/parse', { method: 'POST', body: form });
    return (await answer.json()) as Scraped;
  };
  const { data } = await parse('a.html', `<main><h1>Tea</h1><p>${'Water and leaves. '.repeat(30)}</p></main>`);
  assert.deepEqual([data.explanation?.cache?.state, data.explanation?.attempts], ['bypassed', []]);
  assert.ok(data.explanation?.stages.some(({ stage }) => stage === 'parse'));
  const broken = await parse('a.docx', 'PK\u0003\u0004 nothing');
  assert.equal(broken.success, false);
  assert.ok(broken.details?.explanation, JSON.stringify(broken));
});

describe('with a browser', NEEDS_BROWSER, () => {
  const rendering = useService(BROWSER_SETTINGS);

  test('the browser says what it did, and why it came first', async () => {
    const url = rendering.web.url('redirect.test', '/to/302');
    const options = { formats: ['markdown', 'screenshot'], waitFor: 10, maxAge: 0 };
    const { explanation } = await explain(url, options, rendering.service);
    const [{ browser, responses }] = explanation.attempts as [Explanation['attempts'][number]];
    assert.match(explanation.plan?.reason ?? '', /Only a browser/);
    assert.deepEqual(
      browser?.steps.map(({ step }) => step).filter((step) => step !== 'settle'),
      ['slot', 'navigate', 'wait', 'banners', 'scroll', 'screenshot', 'read'],
    );
    assert.ok(browser!.requests >= 1);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [302, 200],
    );
  });

  test('an empty shell is the reason for the browser', async () => {
    const { explanation } = await explain(rendering.web.url('app.test', '/'), { maxAge: 0 }, rendering.service);
    assert.deepEqual(trail(explanation), ['http basic shell', 'browser basic ok']);
    assert.equal(explanation.attempts[0]?.verdict?.kind, 'empty-shell');
  });
});

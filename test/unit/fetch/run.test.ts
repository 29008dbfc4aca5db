// Which planned attempts are made, and what is returned when none of them gets the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, ServiceError } from '../../../src/contracts/errors/errors.ts';
import type { FetchRequest } from '../../../src/fetch/engine.ts';
import type { Attempt, Setback } from '../../../src/fetch/plan.ts';
import { refusalOf } from '../../../src/fetch/refusal.ts';
import { runAttempts } from '../../../src/fetch/run.ts';
import type { Fetched, TransformResult, VerdictKind } from '../../../src/page/page.ts';

/** A status, a verdict, or an error. */
type Result = number | VerdictKind | Error;

const ANY: readonly Setback[] = ['shell', 'challenge', 'forbidden', 'busy', 'turned-away', 'dropped', 'failed'];

/** Runs one attempt per result; every attempt after the first helps after `helpsAfter`. */
async function run(results: Result[], helpsAfter: readonly Setback[] = ANY, signal = new AbortController().signal) {
  const tried: number[] = [];
  const attempts = results.map((result, at): Attempt => {
    const fetch = async ({ proxyClass }: FetchRequest): Promise<Fetched> => {
      tried.push(at);
      if (result instanceof Error) throw result;
      const status = typeof result === 'number' ? result : 200;
      const contentType = typeof result === 'string' ? result : 'content';
      return { status, proxyClass, contentType, headers: {} } as Fetched;
    };
    const proxyClass = at === 0 ? 'basic' : 'enhanced';
    return { engine: { name: 'http', fetch }, proxyClass, ...(at > 0 && { helpsAfter }) };
  });
  // The fake pages carry their verdict in the content type.
  const interpret = async ({ contentType }: Fetched) =>
    ({ verdict: { kind: contentType, reason: '' } }) as TransformResult;
  const ended = await runAttempts(attempts, {} as FetchRequest, { interpret, now: () => 0, signal }).then(
    ({ page, outcome, after }) => ({ status: page.status, kind: outcome.verdict.kind, after, by: page.proxyClass }),
    (error: unknown) => ({ error }),
  );
  return { tried, ...ended };
}

const failure = (code: ErrorCode) => new ServiceError(code);

const brokenOff = () =>
  new ServiceError('SCRAPE_SITE_ERROR', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });

test('a usable page ends the run, whatever its verdict', async () => {
  for (const result of ['content', 'login-wall', 'soft-404', 'parked', 404, 410, 500] as const) {
    assert.deepEqual((await run([result, 200])).tried, [0], String(result));
  }
});

test('a setback leads to the next attempt that helps after it', async () => {
  const endings: [Result, Setback][] = [
    ['empty-shell', 'shell'],
    ['challenge', 'challenge'],
    [403, 'forbidden'],
    [401, 'turned-away'],
    [406, 'forbidden'],
    [429, 'busy'],
    [503, 'busy'],
    [brokenOff(), 'dropped'],
    [failure('SCRAPE_SITE_ERROR'), 'failed'],
    [failure('SCRAPE_PROXY_SELECTION_ERROR'), 'failed'],
  ];
  for (const [result, ending] of endings) {
    const helped = await run([result, 200], [ending]);
    assert.deepEqual(helped, { tried: [0, 1], status: 200, kind: 'content', after: [ending], by: 'enhanced' });
    const others = ANY.filter((other) => other !== ending);
    assert.deepEqual((await run([result, 200], others)).tried, [0], ending);
  }
});

test('only the last setback decides about the next attempt', async () => {
  assert.deepEqual(await run(['empty-shell', 'challenge', 200], ['shell']), {
    tried: [0, 1],
    ...{ status: 200, kind: 'challenge', after: ['shell'], by: 'enhanced' },
  });
  assert.deepEqual(await run([403, 'empty-shell', 'content']), {
    tried: [0, 1, 2],
    ...{ status: 200, kind: 'content', after: ['forbidden', 'shell'], by: 'enhanced' },
  });
});

test('if no attempt succeeds, the last page is returned', async () => {
  const last = { status: 429, kind: 'content', after: ['forbidden'], by: 'enhanced' };
  assert.deepEqual(await run([403, 429]), { tried: [0, 1], ...last });
  const shell = { status: 200, kind: 'empty-shell', after: [], by: 'basic' };
  assert.deepEqual(await run(['empty-shell', failure('SCRAPE_ALL_ENGINES_FAILED')]), { tried: [0, 1], ...shell });
});

test('if no attempt returned a page, the last error is thrown', async () => {
  const last = failure('SCRAPE_SITE_ERROR');
  assert.deepEqual(await run([failure('SCRAPE_SITE_ERROR'), last]), { tried: [0, 1], error: last });
});

test('an error that no other attempt can avoid ends the run at once', async () => {
  for (const error of [
    failure('SCRAPE_DNS_RESOLUTION_ERROR'),
    failure('UNSUPPORTED_SITE'),
    failure('SCRAPE_ACTION_ERROR'),
    failure('SCRAPE_ALL_ENGINES_FAILED'),
    new Error('a fault of ours'),
  ]) {
    assert.deepEqual(await run([error, 200]), { tried: [0], error });
  }
});

test('after the deadline no other attempt is made', async () => {
  const over = new AbortController();
  const late = failure('SCRAPE_TIMEOUT');
  over.abort(late);
  assert.deepEqual(await run([403, failure('SCRAPE_SITE_ERROR'), 200], ANY, over.signal), {
    tried: [0, 1],
    error: late,
  });
});

test('an engine that this machine lacks is passed over, and its error is not the one that is thrown', async () => {
  const missing = failure('SCRAPE_ALL_ENGINES_FAILED');
  const helped = { tried: [0, 1], status: 200, kind: 'content', after: ['unavailable'], by: 'enhanced' };
  assert.deepEqual(await run([missing, 200], ['unavailable']), helped);
  const dropped = brokenOff();
  assert.deepEqual(await run([dropped, missing]), { tried: [0, 1], error: dropped });
});

test('every attempt is recorded with its outcome and its time', async () => {
  let now = 0;
  const attempt = (name: 'http' | 'chrome-http', status: number): Attempt => ({
    engine: {
      name,
      fetch: async ({ proxyClass, isBusyFinal }) => {
        now += 5;
        return { status, proxyClass, headers: { busy: String(isBusyFinal) } } as unknown as Fetched;
      },
    },
    proxyClass: name === 'http' ? 'basic' : 'enhanced',
    ...(name !== 'http' && { helpsAfter: ANY }),
  });
  const { attempts, page } = await runAttempts(
    [attempt('http', 429), attempt('chrome-http', 200)],
    { isBusyFinal: false } as FetchRequest,
    {
      interpret: async () => ({ verdict: { kind: 'content', reason: '' } }) as TransformResult,
      now: () => now,
      signal: new AbortController().signal,
    },
  );
  assert.deepEqual(attempts, [
    { engine: 'http', proxyClass: 'basic', outcome: 'busy', ms: 5 },
    { engine: 'chrome-http', proxyClass: 'enhanced', outcome: 'ok', ms: 5 },
  ]);
  // The second identity does not sit out the pauses of the first once more.
  assert.equal(page.headers.busy, 'true');
});

test('a site that says when to come back is not asked again by another identity', () => {
  const busy = { status: 429, headers: {} };
  assert.equal(refusalOf(busy), 'busy');
  assert.equal(refusalOf({ ...busy, headers: { 'retry-after': '60' } }), 'turned-away');
  assert.equal(refusalOf({ status: 404, headers: {} }), undefined);
});

// Which planned attempts are made, and what is returned when none of them gets the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, ServiceError } from '../../../src/contracts/errors.ts';
import type { FetchedPage, PageOutcome, VerdictKind } from '../../../src/contracts/page.ts';
import type { FetchRequest } from '../../../src/fetch/engine.ts';
import type { Attempt, Setback } from '../../../src/fetch/plan.ts';
import { runAttempts } from '../../../src/fetch/run.ts';

/** A status, a verdict, or an error. */
type Result = number | VerdictKind | Error;

const ANY: readonly Setback[] = ['shell', 'challenge', 'forbidden', 'turned-away', 'failed'];

/** Runs one attempt per result; every attempt after the first helps after `helpsAfter`. */
async function run(results: Result[], helpsAfter: readonly Setback[] = ANY, signal = new AbortController().signal) {
  const tried: number[] = [];
  const attempts = results.map((result, at): Attempt => {
    const fetch = async ({ proxyClass }: FetchRequest): Promise<FetchedPage> => {
      tried.push(at);
      if (result instanceof Error) throw result;
      const status = typeof result === 'number' ? result : 200;
      return { status, proxyClass, contentType: typeof result === 'string' ? result : 'content' } as FetchedPage;
    };
    const proxyClass = at === 0 ? 'basic' : 'enhanced';
    return { engine: { name: 'http', fetch }, proxyClass, ...(at > 0 && { helpsAfter }) };
  });
  // The fake pages carry their verdict in the content type.
  const interpret = async ({ contentType }: FetchedPage) =>
    ({ verdict: { kind: contentType, reason: '' } }) as PageOutcome;
  const ended = await runAttempts(attempts, {} as FetchRequest, interpret, signal).then(
    ({ page, outcome, after }) => ({ status: page.status, kind: outcome.verdict.kind, after, by: page.proxyClass }),
    (error: unknown) => ({ error }),
  );
  return { tried, ...ended };
}

const failure = (code: ErrorCode) => new ServiceError(code);

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
    [429, 'turned-away'],
    [503, 'turned-away'],
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

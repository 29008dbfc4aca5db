// Which of the planned ways are gone, and what is brought home when none of them leads to the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, ServiceError } from '../../../src/contracts/errors.ts';
import type { FetchedPage, PageOutcome, VerdictKind } from '../../../src/contracts/page.ts';
import type { FetchRequest } from '../../../src/fetch/engine.ts';
import type { Attempt, Setback } from '../../../src/fetch/plan.ts';
import { runAttempts } from '../../../src/fetch/run.ts';

/** A status, a verdict, or what goes wrong. */
type Result = number | VerdictKind | Error;

const ANY: readonly Setback[] = ['shell', 'challenge', 'forbidden', 'turned-away', 'failed'];

/** What happens on each of the ways in turn, and what the next one is said to help against. */
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
  // The stand-ins carry their verdict in the type.
  const interpret = async ({ contentType }: FetchedPage) =>
    ({ verdict: { kind: contentType, reason: '' } }) as PageOutcome;
  const ended = await runAttempts(attempts, {} as FetchRequest, interpret, signal).then(
    ({ page, outcome, after }) => ({ status: page.status, kind: outcome.verdict.kind, after, by: page.proxyClass }),
    (error: unknown) => ({ error }),
  );
  return { tried, ...ended };
}

const failure = (code: ErrorCode) => new ServiceError(code);

test('a page that can stand ends the way, whatever its verdict may be', async () => {
  for (const result of ['content', 'login-wall', 'soft-404', 'parked', 404, 410, 500] as const) {
    assert.deepEqual((await run([result, 200])).tried, [0], String(result));
  }
});

test('each way that does not lead to the page is a reason for those that help against it', async () => {
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

test('only the last ending counts', async () => {
  assert.deepEqual(await run(['empty-shell', 'challenge', 200], ['shell']), {
    tried: [0, 1],
    ...{ status: 200, kind: 'challenge', after: ['shell'], by: 'enhanced' },
  });
  assert.deepEqual(await run([403, 'empty-shell', 'content']), {
    tried: [0, 1, 2],
    ...{ status: 200, kind: 'content', after: ['forbidden', 'shell'], by: 'enhanced' },
  });
});

test('when no way leads there, the last page that came is what there is', async () => {
  const last = { status: 429, kind: 'content', after: ['forbidden'], by: 'enhanced' };
  assert.deepEqual(await run([403, 429]), { tried: [0, 1], ...last });
  const shell = { status: 200, kind: 'empty-shell', after: [], by: 'basic' };
  assert.deepEqual(await run(['empty-shell', failure('SCRAPE_ALL_ENGINES_FAILED')]), { tried: [0, 1], ...shell });
});

test('when nothing came at all, the last failure is told', async () => {
  const last = failure('SCRAPE_SITE_ERROR');
  assert.deepEqual(await run([failure('SCRAPE_SITE_ERROR'), last]), { tried: [0, 1], error: last });
});

test('what another way cannot change ends the run at once', async () => {
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

test('once the time is over no other way is gone, whatever had come before', async () => {
  const over = new AbortController();
  const late = failure('SCRAPE_TIMEOUT');
  over.abort(late);
  assert.deepEqual(await run([403, failure('SCRAPE_SITE_ERROR'), 200], ANY, over.signal), {
    tried: [0, 1],
    error: late,
  });
});

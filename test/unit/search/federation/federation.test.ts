// Asking providers in parallel: pages, time limits, and failures that do not affect the others.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { parseAllowList } from '../../../../src/net/addresses/allow-list.ts';
import { warningOf } from '../../../../src/search/federation/provider-run.ts';
import { serve } from '../../net/local.ts';
import { answers, type Behaviour, never, results, startHarness, status } from './federation-harness.ts';

const summary = ({ provider, state, problemKind }: { provider: string; state: string; problemKind?: string }) =>
  [provider, state, problemKind].filter(Boolean).join(' ');

test('results are kept or dropped with a reason, at the rank of their provider', async (t) => {
  const harness = await startHarness(t, { brave: answers(results(1, 3)), exa: answers(results(2, 2)) });
  const rejectR2 = ({ title }: { title: string }, { name }: { name: string }) =>
    title === 'r2' && name === 'brave' ? 'not on site x' : undefined;
  const [brave, exa] = await harness.ask({ rejectionOf: rejectR2 });
  assert.deepEqual(
    brave!.kept.map(({ result, rank }) => [result.url, rank]),
    [
      ['https://r1.example/', 1],
      ['https://r3.example/', 3],
    ],
  );
  assert.deepEqual(brave!.dropped, [{ url: 'https://r2.example/', reason: 'not on site x', rank: 2 }]);
  assert.deepEqual([exa!.provider, exa!.label, exa!.state, exa!.requests], ['exa', 'EXA', 'answered', 1]);
  assert.equal(exa!.kept.length, 1);
  assert.equal(warningOf([brave!, exa!]), undefined);
});

test('a provider that is down, slow, broken or out of quota does not affect the others, and each is named', async (t) => {
  const endless: Behaviour = (_seen, response) => {
    const more = () => {
      while (!response.destroyed && response.write('[1,'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  };
  const harness = await startHarness(
    t,
    {
      searxng: never,
      brave: answers(results(1, 2)),
      serper: status(500),
      serpapi: status(429, { 'retry-after': '60' }),
      tavily: (_seen, response) => void response.end('<!doctype html><title>Log in</title>'),
      exa: (_seen, response) => void response.end('{"results":[{"url":"https://'),
      mojeek: endless,
      kagi: (_seen, response) => void response.end('{"results":"none"}'),
      you: (_seen, _response, request) => request.socket.destroy(),
      v2: status(401),
      wikipedia: status(400),
    },
    { limitMs: 2_000 },
  );
  const runs = await harness.ask();
  assert.deepEqual(runs.map(summary), [
    'searxng timed-out down',
    'brave answered',
    'serper failed down',
    'serpapi failed quota',
    'tavily failed malformed',
    'exa failed malformed',
    'mojeek failed malformed',
    'kagi failed malformed',
    'you failed down',
    'v2 failed key',
    'wikipedia failed refused',
  ]);
  const warning = warningOf(runs)!;
  for (const { label, state } of runs) assert.equal(warning.includes(label), state !== 'answered', label);
  assert.match(warning, /^Not every search provider answered \(.*SEARXNG: it did not answer in time; .*\)\.$/);
});

test("a provider is cut off in time for the caller's own deadline", async (t) => {
  const harness = await startHarness(t, { brave: never, exa: answers(results(1, 1)) }, { limitMs: 60_000 });
  const runs = await harness.ask({ timeLeftMs: 400 });
  assert.deepEqual(runs.map(summary), ['brave timed-out down', 'exa answered']);
});

test("an abort by the caller ends the wait for all providers, with the caller's reason", async (t) => {
  const harness = await startHarness(t, { brave: never, exa: answers(results(1, 1)) });
  const aborting = new AbortController();
  const reason = new Error('the caller left');
  const asked = harness.ask({}, aborting.signal);
  setTimeout(() => aborting.abort(reason), 50);
  await assert.rejects(asked, (error) => error === reason);
  await assert.rejects(harness.ask({}, AbortSignal.abort(reason)), (error) => error === reason);
});

const tenResultsPerPage: Behaviour = ({ page }, response, request) =>
  answers(results(page * 10 + 1, page * 10 + 10), true)({} as never, response, request);

test('further pages are requested while too many results are dropped, and no more than needed', async (t) => {
  const harness = await startHarness(t, { brave: tenResultsPerPage });
  const odd = ({ title }: { title: string }) => (Number(title.slice(1)) % 2 === 0 ? undefined : 'odd');
  const run = await harness.askOne({ wanted: 12, rejectionOf: odd });
  assert.deepEqual(
    harness.seen.brave!.map(({ page, count }) => [page, count]),
    [
      [0, 10],
      [1, 10],
      [2, 10],
    ],
  );
  assert.deepEqual([run.kept.length, run.dropped.length, run.kept[14]?.rank, run.requests], [15, 15, 30, 3]);
});

test('paging ends after five pages, at the last page, or at a page that repeats earlier results', async (t) => {
  const keepNone = { rejectionOf: () => 'no', wanted: 4 };
  const endless = await startHarness(t, { brave: tenResultsPerPage });
  assert.equal((await endless.askOne(keepNone)).requests, 5);
  const bounded = await startHarness(
    t,
    { brave: tenResultsPerPage },
    {
      adapters: {
        brave: { capabilities: () => ({ clauses: [], time: 'none', domains: false, maxCount: 4, maxPages: 2 }) },
      },
    },
  );
  assert.equal((await bounded.askOne(keepNone)).requests, 2);
  const repeating = await startHarness(t, { brave: answers(results(1, 5), true) });
  const run = await repeating.askOne(keepNone);
  assert.deepEqual([run.requests, run.dropped.length], [2, 5]);
});

test('several pictures of one page are several results', async (t) => {
  const pictures = [1, 2].map((n) => ({ ...results(1, 1)[0]!, imageUrl: `https://i.example/${n}.png` }));
  const harness = await startHarness(t, { openverse: answers(pictures) });
  assert.equal((await harness.askOne({ source: 'images' })).kept.length, 2);
  assert.equal((await harness.askOne({ source: 'news' })).kept.length, 1);
});

test('results before a failure are kept, and a refused further page is only the end', async (t) => {
  const later =
    (behaviour: Behaviour): Behaviour =>
    (seen, response, request) =>
      (seen.page === 0 ? answers(results(1, 3), true) : behaviour)(seen, response, request);
  const harness = await startHarness(t, { brave: later(status(500)), exa: later(status(422)) });
  const runs = await harness.ask();
  assert.deepEqual(runs.map(summary), ['brave failed down', 'exa answered']);
  assert.deepEqual(
    runs.map(({ kept }) => kept.length),
    [3, 3],
  );
});

test("the operator's private URL is asked, and a redirect from it is not followed", async (t) => {
  let reached = 0;
  const inner = await serve(t, (_request, response) => {
    reached += 1;
    response.end('{"results":[],"hasMore":false}');
  });
  const mine = await serve(t, (request, response) => {
    if (request.url?.startsWith('/moved')) response.writeHead(302, { location: `http://127.0.0.1:${inner}/` }).end();
    else response.end(JSON.stringify({ results: results(1, 1), hasMore: false }));
  });
  const origin = `http://127.0.0.1:${mine}`;
  const harness = await startHarness(
    t,
    { searxng: never, exa: never, brave: answers([]) },
    {
      net: { allow: parseAllowList(''), operatorOrigins: [origin] },
      settings: { access: { searxng: { keys: [], url: origin }, exa: { keys: [], url: `${origin}/moved` } } },
    },
  );
  const runs = await harness.ask();
  assert.deepEqual(runs.map(summary), ['searxng answered', 'exa failed malformed', 'brave failed down']);
  assert.deepEqual([runs[0]!.isConfigured, runs[2]!.isConfigured, reached], [true, false, 0]);
});

test('without a network, a silent DNS server delays only the first search', async (t) => {
  const mute = createSocket('udp4').bind(0, '127.0.0.1');
  await once(mute, 'listening');
  t.after(() => mute.close());
  const unreachable = { url: 'https://api.search.test' };
  const harness = await startHarness(
    t,
    { wikipedia: never, hackernews: never },
    {
      net: { dnsServers: [`127.0.0.1:${mute.address().port}`] },
      adapters: { wikipedia: unreachable, hackernews: unreachable },
      limitMs: 60_000,
    },
  );
  const first = await harness.ask();
  assert.deepEqual(first.map(summary), ['wikipedia failed down', 'hackernews failed down']);
  assert.equal(warningOf(first), 'No search provider on the Internet could be reached.');
  const own = { ...first[0]!, provider: 'index', state: 'answered', problemKind: undefined } as const;
  assert.match(warningOf([own, ...first])!, /^No search provider .* own index\.$/);
  // Paused, then on trial in the background: neither makes the search wait.
  for (const pause of [0, 10_000]) {
    harness.advanceClock(pause);
    const later = await harness.ask({ timeLeftMs: 600_000 });
    assert.deepEqual(later.map(summary), ['wikipedia resting down', 'hackernews resting down']);
    assert.equal(warningOf(later), 'No search provider on the Internet could be reached.');
  }
});

test('a provider that the operator configured is always named, even when none can be reached', async (t) => {
  const harness = await startHarness(
    t,
    { brave: status(503), wikipedia: status(503) },
    {
      settings: { access: { brave: { keys: ['k'] } } },
    },
  );
  assert.match(
    warningOf(await harness.ask())!,
    /^Not every .*\(BRAVE, WIKIPEDIA: it is out of order \(status 503\)\)\.$/,
  );
});

test('an adapter outside the configured list is not used', async (t) => {
  const harness = await startHarness(
    t,
    { brave: answers(results(1, 1)), exa: answers([]) },
    {
      settings: { order: ['exa', 'index'] },
    },
  );
  assert.deepEqual((await harness.ask()).map(summary), ['exa answered']);
  assert.deepEqual(harness.seen.brave, []);
});

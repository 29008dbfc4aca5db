// What the operator looks after: figures of the last hour, the disk, browsers, providers and models; and usage, which
// every team sees of itself.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type { ResponseOf } from '../../src/contracts/route-types.ts';
import { EXECUTABLE, isAlive, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { fullTest, test } from '../support/full-run.ts';
import { until } from '../support/jobs.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { says, WRONG_KEY } from '../support/models/replies.ts';
import { type ProviderStandIn, sendJson, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { asTeam } from '../support/teams.ts';
import { page, reply, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

/** A page that is answered only when the test says so. */
const held = { requests: 0, ...Promise.withResolvers<void>() };
let web: Web;
let searxng: ProviderStandIn;
let model: ModelServer;
let service: RunningService;
let stranger: RunningService;

before(async () => {
  [web, searxng, model] = await Promise.all([
    startWeb({
      'site.test': {
        '/': reply(page('Site')),
        '/held': async (exchange) => {
          held.requests += 1;
          await held.promise;
          if (!exchange.signal.aborted) send(exchange, page('Held'));
        },
      },
    }),
    startProviderStandIn('searxng'),
    startModelServer(says('ok')),
  ]);
  service = await startServiceHereWith(web, {
    ...model.settings(),
    TRAWL_MODEL_CLEAN: 'off',
    TRAWL_SEARXNG_URL: searxng.url,
    TRAWL_BRAVE_API_KEY: 's3cret-key',
    TRAWL_SEARCH_PROVIDERS: 'index,searxng',
    TRAWL_BROWSER: EXECUTABLE ?? 'off',
  });
  stranger = await asTeam(service, 'stranger');
});
after(async () => {
  held.resolve();
  await service?.stop();
  await Promise.all([web?.stop(), searxng?.stop(), model?.close()]);
});

type Read = 'healthHistory' | 'healthDisk' | 'listBrowserProcesses' | 'listProviders' | 'teamUsage';
type Data = { [Id in Read]: ResponseOf<Id>['data'] };

/** `_id` only names the type of the answer. */
async function get<Id extends Read>(_id: Id, path: string, as = service): Promise<Data[Id]> {
  const response = await as.fetch(path);
  const body = (await response.json()) as { data: Data[Id] };
  assert.equal(response.status, 200, JSON.stringify(body));
  return body.data;
}

const OPERATORS: readonly [method: string, path: string][] = [
  ['GET', '/v2/health/history'],
  ['GET', '/v2/health/disk'],
  ['GET', '/v2/health/browsers'],
  ['DELETE', '/v2/health/browsers/any'],
  ['GET', '/v2/providers'],
  ['POST', '/v2/providers/searxng/test'],
  ['POST', '/v2/models/extract/test'],
];

test('only the operator gets in: other teams and restricted keys are refused, and nothing is asked for them', async () => {
  const asked = searxng.asked.length;
  const restricted = await service.post<{ data: { key: string } }>('/v2/team/keys', {
    limits: { operations: ['scrape'] },
  });
  const authorization = `Bearer ${restricted.body.data.key}`;
  for (const [method, path] of OPERATORS) {
    const refused = await stranger.fetch(path, { method });
    const body = (await refused.json()) as { code: string };
    assert.deepEqual([refused.status, body.code], [403, 'OPERATOR_ONLY'], path);
    assert.equal((await service.fetch(path, { method, headers: { authorization } })).status, 403, path);
    assert.equal((await fetch(new URL(path, service.url), { method })).status, 401, path);
  }
  assert.equal(searxng.asked.length, asked);
});

test('the history has one list for each figure, and `since` leaves out what is known', async () => {
  const { at, series, everyMs, now } = await until(
    () => get('healthHistory', '/v2/health/history'),
    (history) => history.at.length > 0,
  );
  assert.ok(everyMs > 0 && now >= at.at(-1)!);
  for (const [name, values] of Object.entries(series)) assert.equal(values.length, at.length, name);
  assert.ok(series.rssBytes[0]! > 10_000_000);
  const later = await get('healthHistory', `/v2/health/history?since=${at.at(-1)}`);
  assert.ok(later.at.every((time) => time > at.at(-1)!));
  for (const since of ['-1', 'x', '1e9', '9'.repeat(16)]) {
    assert.equal((await service.fetch(`/v2/health/history?since=${since}`)).status, 400, since);
  }
});

test('the disk is told by parts', async () => {
  const { parts, totalBytes, freeBytes, folder } = await get('healthDisk', '/v2/health/disk');
  assert.equal(folder, service.dataDir);
  assert.ok(parts.find(({ part }) => part === 'store')!.bytes > 0);
  assert.equal(
    parts.reduce((sum, { bytes }) => sum + bytes, 0),
    totalBytes,
  );
  assert.ok(freeBytes > 0);
});

describe('providers and models', () => {
  const providerOf = async (name: string) =>
    (await get('listProviders', '/v2/providers')).providers.find((each) => each.name === name)!;
  const testOf = async (path: string) => {
    const { status, body } = await service.post<ResponseOf<'testProvider'>>(path, {});
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };

  test('a provider that fails says why and when, and a test that it answers ends that', async () => {
    assert.deepEqual((await providerOf('searxng')).state, 'unknown');
    searxng.behave((_, response) => sendJson(response, {}, 500));
    await service.post('/v2/search', { query: 'anchor' });
    const failed = await providerOf('searxng');
    assert.deepEqual([failed.state, failed.failures, failed.used], ['paused', 1, true]);
    assert.match(failed.lastProblem!.text, /^It is out of order \(status 500\)\.$/);
    assert.ok(Date.parse(failed.lastProblem!.at) > 0 && Date.parse(failed.pausedUntil!) > 0);
    const bad = await testOf('/v2/providers/searxng/test');
    assert.deepEqual([bad.ok, bad.results], [false, undefined]);
    assert.match(bad.problem!, /: it is out of order \(status 500\)\.$/);
    searxng.give({ url: 'https://found.example/', title: 'Found' });
    const good = await testOf('/v2/providers/searxng/test');
    assert.deepEqual([good.ok, good.results, good.problem], [true, 1, undefined]);
    assert.equal((await providerOf('searxng')).state, 'answers');
  });

  test('keys are never shown, unused providers say so, and unknown names are refused', async () => {
    const listed = await (await service.fetch('/v2/providers')).text();
    assert.ok(!listed.includes('s3cret-key') && !listed.includes('model-key'));
    const [brave, exa] = [await providerOf('brave'), await providerOf('exa')];
    assert.deepEqual([brave.hasKey, brave.used, exa.hasKey], [true, false, false]);
    assert.match((await testOf('/v2/providers/exa/test')).problem!, /it needs a key \(TRAWL_EXA_API_KEY\)/);
    for (const path of ['/v2/providers/nobody/test', '/v2/models/nothing/test']) {
      const { status, body } = await service.post(path, {});
      assert.deepEqual([status, body.code], [404, 'PROVIDER_NOT_FOUND'], path);
    }
  });

  test('many tests of a slow provider at the same time ask it once', async () => {
    const gate = Promise.withResolvers<void>();
    const before = searxng.asked.length;
    searxng.behave(async (_, response) => {
      await gate.promise;
      sendJson(response, { results: [] });
    });
    const running = Array.from({ length: 5 }, () => testOf('/v2/providers/searxng/test'));
    await until(
      async () => searxng.asked.length,
      (count) => count > before,
    );
    gate.resolve();
    assert.deepEqual(
      (await Promise.all(running)).map(({ ok }) => ok),
      [true, true, true, true, true],
    );
    // Those that arrived after the first one had ended asked again.
    assert.ok(searxng.asked.length - before < 5);
    searxng.give();
  });

  test('a model is asked for its purpose, and one that refuses the key says so', async () => {
    assert.equal((await testOf('/v2/models/extract/test')).ok, true);
    model.answer(() => WRONG_KEY);
    const refused = await testOf('/v2/models/answer/test');
    assert.equal(refused.ok, false);
    assert.match(refused.problem!, /^The model .+ does not accept the key/);
    const { models } = await get('listProviders', '/v2/providers');
    const states = Object.fromEntries(
      models.map(({ purpose, state, lastProblem }) => [purpose, [state, !!lastProblem]]),
    );
    // One server answers for all purposes but the one that is switched off.
    assert.deepEqual(
      [states.extract, states.answer, states.clean],
      [
        ['fails', true],
        ['fails', true],
        ['none', false],
      ],
    );
    assert.match((await testOf('/v2/models/clean/test')).problem!, /TRAWL_MODEL_CLEAN=off/);
    model.answer(says('ok'));
    assert.equal((await testOf('/v2/models/answer/test')).ok, true);
  });
});

describe('browsers', NEEDS_BROWSER, () => {
  const processes = async () => (await get('listBrowserProcesses', '/v2/health/browsers')).processes;
  const end = async (id: string, as = service) => {
    const response = await as.fetch(`/v2/health/browsers/${id}`, { method: 'DELETE' });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  fullTest('a browser that is killed under load loses no request', async () => {
    const scrapes = Array.from({ length: 3 }, (_, number) =>
      service.scrape<{ success: boolean; data: { markdown: string } }>({
        url: web.url('site.test', `/held?n=${number}`),
        waitFor: 1,
        timeout: 120_000,
        maxAge: 0,
      }),
    );
    for (let times = 1; times <= 2; times++) {
      await until(
        async () => held.requests,
        (count) => count >= 3 * times,
      );
      const running = (await processes()).filter(({ kind, openPages }) => kind === 'pages' && openPages! > 0);
      assert.ok(running.length > 0);
      for (const { id, pid, openPages } of running) {
        const { status, body } = await end(id);
        assert.deepEqual([status, body.data], [200, { id, kind: 'pages', retriedPages: openPages }]);
        await until(
          async () => isAlive(pid),
          (alive) => !alive,
        );
      }
    }
    held.resolve();
    for (const { status, body } of await Promise.all(scrapes)) {
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(body.data.markdown, /page called Held/);
    }
    assert.deepEqual([(await end('nobody')).status, (await end('nobody')).body.code], [404, 'BROWSER_NOT_FOUND']);
  });

  test('the operator ends sessions of every team, and watches only those of its own', async () => {
    const own = await service.post<{ id: string }>('/v2/browser', {});
    const theirs = await stranger.post<{ id: string }>('/v2/browser', {});
    const byId = new Map((await processes()).map((process) => [process.id, process]));
    assert.match(byId.get(own.body.id)!.session!.liveViewUrl!, /\/live\//);
    assert.deepEqual(
      [byId.get(theirs.body.id)!.session!.team, byId.get(theirs.body.id)!.session!.liveViewUrl],
      ['stranger', undefined],
    );
    assert.equal((await end(own.body.id, stranger)).status, 403);
    for (const { body } of [own, theirs]) assert.equal((await end(body.id)).status, 200);
    assert.equal((await processes()).filter(({ kind }) => kind === 'session').length, 0);
    const { sessions } = (await (await stranger.fetch('/v2/browser')).json()) as ResponseOf<'listBrowsers'>;
    assert.deepEqual(
      sessions.map(({ status }) => status),
      ['destroyed'],
    );
  });
});

test('usage is told by key and by operation, each team its own', async () => {
  const team = await asTeam(service, 'spender');
  for (const path of ['/?a', '/?b']) await team.scrape({ url: web.url('site.test', path) });
  await team.post('/v2/search', { query: 'site' });
  const usage = await get('teamUsage', '/v2/team/usage?days=2', team);
  assert.equal(usage.starts.length, 2);
  assert.equal(usage.keys.length, 1);
  assert.ok(team.key.startsWith(usage.keys[0]!.key!));
  const byOperation = Object.fromEntries(
    usage.operations.map(({ operation, totalCredits }) => [operation, totalCredits]),
  );
  assert.equal(byOperation.scrape, 2);
  assert.equal(usage.totalCredits, usage.keys[0]!.totalCredits);
  assert.equal(
    Object.values(byOperation).reduce((sum, credits) => sum + credits, 0),
    usage.totalCredits,
  );
  assert.deepEqual((await get('teamUsage', '/v2/team/usage?days=2&team=spender')).operations, usage.operations);
  assert.equal((await get('teamUsage', '/v2/team/usage?days=1&by=hour', team)).totalCredits, usage.totalCredits);
  assert.equal((await stranger.fetch('/v2/team/usage?team=spender')).status, 403);
  assert.equal((await service.fetch('/v2/team/usage?team=nobody')).status, 404);
  for (const query of ['days=0', 'days=93', 'days=x', 'by=week', 'by=hour']) {
    assert.equal((await team.fetch(`/v2/team/usage?${query}`)).status, 400, query);
  }
});

// What jobs refuse, each with its exact answer, and jobs whose pages cannot be fetched.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe } from 'node:test';
import { promisify } from 'node:util';
import { storeSettings } from '../support/engines.ts';
import { fullTest, test } from '../support/full-run.ts';
import { BATCH, CRAWL, cancel, jobEnd, read, runCrawl, startJob } from '../support/jobs.ts';
import { MAIN, PROGRAM_ENV } from '../support/program.ts';
import type { RunningService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const UNKNOWN = '0190a0b0-0000-7000-8000-000000000000';

const scene = useService({}, { TRAWL_MAX_JOBS: '1', TRAWL_TEAM_FEATURES: 'anon' });

const stalled = () => scene.web.url('fault.test', '/stalled-headers');

/** Posts with this idempotency key. */
async function postOnce(service: RunningService, path: string, body: object, key: string) {
  const headers = { 'content-type': 'application/json', 'x-idempotency-key': key };
  const response = await service.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('requests that are refused', () => {
  interface Case {
    path?: string;
    body: object;
    status?: number;
    code?: string;
    error: RegExp;
    /** The path of the wrong value, if one is reported. */
    at?: (string | number)[];
  }
  const url = 'http://docs.test/';
  const NO_DOMAIN = /^This is not a valid URL: its host has no top-level domain/;
  const hook = (webhook: unknown) => ({ url, webhook });
  const cases: Record<string, Case> = {
    'a crawl without a url': { body: {}, error: /`url`/, at: ['url'] },
    'a malformed url': { body: { url: 'http://' }, error: /^This is not a valid URL/, at: ['url'] },
    'a word that is no url': { body: { url: 'notaurl' }, error: NO_DOMAIN, at: ['url'] },
    'a map of a word that is no url': { path: '/v2/map', body: { url: 'notaurl' }, error: NO_DOMAIN, at: ['url'] },
    'a batch with a word that is no url': {
      path: BATCH,
      body: { urls: [url, 'notaurl'], ignoreInvalidURLs: false },
      error: NO_DOMAIN,
      at: ['urls', 1],
    },
    'another scheme': { body: { url: 'ftp://docs.test/' }, error: /^Only http and https/, at: ['url'] },
    'a private address': { body: { url: 'http://10.0.0.1/' }, status: 403, code: 'UNSUPPORTED_SITE', error: /private/ },
    'a limit of 0': { body: { url, limit: 0 }, error: /./, at: ['limit'] },
    'a limit that is not a whole number': { body: { url, limit: 1.5 }, error: /./, at: ['limit'] },
    'a negative depth': { body: { url, maxDiscoveryDepth: -1 }, error: /./, at: ['maxDiscoveryDepth'] },
    'a delay of 0': { body: { url, delay: 0 }, error: /`delay` must be more than 0/, at: ['delay'] },
    'a delay of more than a minute': { body: { url, delay: 61 }, error: /./, at: ['delay'] },
    'a concurrency of 0': { body: { url, maxConcurrency: 0 }, error: /./, at: ['maxConcurrency'] },
    'an unknown sitemap mode': { body: { url, sitemap: 'always' }, error: /./, at: ['sitemap'] },
    'an invalid expression': {
      body: { url, includePaths: ['/a', '(b'] },
      error: /`\(b`/,
      at: ['includePaths', 1],
    },
    'an expression with look-around': {
      body: { url, excludePaths: ['^(?!/blog)'] },
      error: /Look-around/,
      at: ['excludePaths', 0],
    },
    'a prompt': { body: { url, prompt: 'Only the blog' }, code: 'NEEDS_MODEL', error: /TRAWL_MODEL/ },
    'a preview of options': {
      path: `${CRAWL}/params-preview`,
      body: { url, prompt: 'Only the blog' },
      code: 'NEEDS_MODEL',
      error: /TRAWL_MODEL/,
    },
    'a preview without a prompt': { path: `${CRAWL}/params-preview`, body: { url }, error: /`prompt`/, at: ['prompt'] },
    'formats that need a browser': { body: { url, scrapeOptions: { formats: ['screenshot'] } }, error: /screenshot/ },
    'a webhook to a private address': {
      body: hook('http://192.168.0.1/hook'),
      status: 403,
      code: 'UNSUPPORTED_SITE',
      error: /private/,
    },
    'a webhook with a malformed url': {
      body: hook('http://'),
      error: /^This is not a valid URL/,
      at: ['webhook', 'url'],
    },
    'a webhook header with a line break': { body: hook({ url, headers: { 'x-a': 'b\r\nx-c: d' } }), error: /./ },
    'a webhook header name with a line break': { body: hook({ url, headers: { 'x-a\r\nx-c': 'd' } }), error: /./ },
    'a webhook event that does not exist': { body: hook({ url, events: ['crawl.sunk'] }), error: /./ },
    'a batch without urls': { path: BATCH, body: {}, error: /`urls`/, at: ['urls'] },
    'a batch with an empty list of urls': { path: BATCH, body: { urls: [] }, error: /at least one/, at: ['urls'] },
    'a batch of values that are not strings': { path: BATCH, body: { urls: [5] }, error: /./, at: ['urls', 0] },
    'a batch with a private webhook': {
      path: BATCH,
      body: { urls: [url], webhook: 'http://[::1]/' },
      status: 403,
      code: 'UNSUPPORTED_SITE',
      error: /private/,
    },
    'a batch with an impossible timeout': {
      path: BATCH,
      body: { urls: [url], timeout: 5 },
      error: /./,
      at: ['timeout'],
    },
  };

  for (const [name, { path = CRAWL, body: request, status = 400, code = 'BAD_REQUEST', error, at }] of Object.entries(
    cases,
  )) {
    test(name, async () => {
      const { status: answered, body } = await scene.service.post(path, request);
      assert.deepEqual([answered, body.success, body.code], [status, false, code], JSON.stringify(body));
      assert.match(String(body.error), error);
      if (at) assert.deepEqual((body.details as { path: unknown }[])[0]!.path, at);
    });
  }

  test('none of them has left a job behind', async () => {
    assert.deepEqual((await read(scene.service, `${CRAWL}/active`)).body, { success: true, crawls: [] });
  });

  test('threat protection, wherever it can be asked for', async () => {
    const threatProtection = { mode: 'normal' };
    for (const [path, request] of [
      ['/v2/scrape', { url }],
      [CRAWL, { url }],
      [BATCH, { urls: [url] }],
      ['/v2/map', { url }],
      ['/v2/search', { query: 'docs' }],
      ['/v2/parse', { uploadRef: 'x' }],
      ['/v2/browser', {}],
      ['/v2/interact', {}],
      [`/v2/scrape/${UNKNOWN}/interact`, { code: '1' }],
    ] as const) {
      const { status, body } = await scene.service.post(path, { ...request, threatProtection });
      assert.deepEqual([status, body.code], [403, 'FEATURE_NOT_ENABLED'], path);
      assert.match(String(body.error), /^Threat protection is not enabled/, path);
      const malformed = await scene.service.post(path, { ...request, threatProtection: { mode: 'soft' } });
      assert.equal(malformed.status, 400, path);
    }
  });

  test('zero data retention for a team without that feature', async () => {
    for (const [path, request] of [
      [CRAWL, { url: scene.web.url('docs.test') }],
      [BATCH, { urls: [scene.web.url('docs.test')] }],
    ] as const) {
      const { status, body } = await scene.other.post(path, { ...request, zeroDataRetention: true });
      assert.deepEqual([status, body.code], [403, 'FEATURE_NOT_ENABLED']);
    }
  });
});

describe('ids', () => {
  const routes = [CRAWL, BATCH].flatMap((path) =>
    [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/errors'],
      ['GET', '/export'],
    ].map(([method, rest]) => ({ method, address: (id: string) => `${path}/${id}${rest}` })),
  );
  const answers = (id: string, headers: Record<string, string> = {}) =>
    Promise.all(
      routes.map(async ({ method, address }) => {
        const response = await scene.service.fetch(address(id), { method, headers });
        return [response.status, ((await response.json()) as { error: string }).error];
      }),
    );

  test('that do not exist are not found', async () => {
    assert.deepEqual(await answers(UNKNOWN), Array(routes.length).fill([404, 'Job not found.']));
  });

  test('that are not UUIDs are refused', async () => {
    const refusal = [400, 'Invalid job ID format. Job ID must be a valid UUID.'];
    for (const id of ['mine', '1', `${UNKNOWN}0`])
      assert.deepEqual(await answers(id), Array(routes.length).fill(refusal));
  });

  test('of another team are not found, and the job stays untouched', async () => {
    const id = await startJob(scene.service, CRAWL, { url: stalled() });
    const env = { ...PROGRAM_ENV, ...(await storeSettings(scene.service.dataDir)) };
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'keys', 'add', '--team', 'stranger'], {
      env,
    });
    const authorization = `Bearer ${/fc-\S+/.exec(stdout)![0]}`;
    assert.deepEqual(await answers(id, { authorization }), Array(routes.length).fill([404, 'Job not found.']));
    const theirs = await scene.service.fetch(`${CRAWL}/active`, { headers: { authorization } });
    assert.deepEqual(await theirs.json(), { success: true, crawls: [] });
    assert.equal((await read(scene.service, `${CRAWL}/${id}`)).body.status, 'scraping');
    await cancel(scene.service, `${CRAWL}/${id}`);
  });
});

test('an idempotency key works once, for crawls and batches alike', async () => {
  const url = scene.web.url('news.test', '/plain');
  for (const [path, request] of [
    [CRAWL, { url }],
    [BATCH, { urls: [url] }],
  ] as const) {
    const key = `a key for ${path}`;
    assert.equal((await postOnce(scene.service, path, request, key)).status, 200);
    assert.deepEqual(await postOnce(scene.service, path, request, key), {
      status: 409,
      body: { success: false, code: 'IDEMPOTENCY_KEY_USED', error: 'Idempotency key already used' },
    });
    assert.equal((await postOnce(scene.service, path, request, `another ${key}`)).status, 200);
  }
  const tooLong = await postOnce(scene.service, CRAWL, { url }, 'k'.repeat(257));
  assert.equal(tooLong.status, 400);
});

test('a full queue refuses new jobs and stores nothing of them', async () => {
  const { other: service, web } = scene;
  const first = await startJob(service, CRAWL, { url: stalled() });
  const small = { url: web.url('news.test', '/plain') };
  for (const [path, request] of [
    [CRAWL, small],
    [BATCH, { urls: [small.url] }],
  ] as const) {
    const { status, headers, body } = await service.post(path, request);
    assert.deepEqual([status, body.success, body.code], [429, false, 'QUEUE_FULL']);
    assert.match(String(body.error), /TRAWL_MAX_JOBS/);
    assert.ok(Number(headers.get('retry-after')) >= 1);
  }
  // The key of a refused job can still be used.
  assert.equal((await postOnce(service, CRAWL, small, 'again')).status, 429);
  const { body } = await read<{ crawls: { id: string }[] }>(service, `${CRAWL}/active`);
  assert.deepEqual(
    body.crawls.map(({ id }) => id),
    [first],
  );
  await cancel(service, `${CRAWL}/${first}`);
  const { status, body: started } = await postOnce(service, CRAWL, small, 'again');
  assert.equal(status, 200);
  assert.equal((await jobEnd(service, `${CRAWL}/${started.id}`)).completed, 1);
});

describe('sites that cannot be fetched', { concurrency: true }, () => {
  const problemsOf = async (url: string, options: object = {}) => {
    const { status, problems } = await runCrawl(scene.service, { url, ...options });
    assert.deepEqual([status.success, status.status, status.total, status.data], [true, 'completed', 0, []]);
    return problems.errors.map((problem) => [problem.url, problem.code]);
  };

  test('a page that never arrives is a timeout, and the crawl ends', async () => {
    const [problem, ...more] = await problemsOf(stalled(), { scrapeOptions: { timeout: 1000 } });
    assert.deepEqual([problem, more], [[stalled(), 'SCRAPE_TIMEOUT'], []]);
  });

  fullTest('a host that never answers, not even for its robots.txt, is a timeout', async () => {
    const url = scene.web.url('silent.test');
    assert.deepEqual(await problemsOf(url), [[url, 'SCRAPE_TIMEOUT']]);
    assert.deepEqual([scene.web.requests('silent.test'), scene.web.requests('silent.test', '/robots.txt')], [1, 1]);
  });

  test('a start page that is only followed is reported, too', async () => {
    const url = scene.web.url('flawed.test', '/picture/1');
    assert.deepEqual(await problemsOf(url, { includePaths: ['/text/'] }), [[url, 'SCRAPE_UNSUPPORTED_FILE_ERROR']]);
  });

  test('a host that does not exist is a DNS error', async () => {
    const url = 'http://no-such-host.invalid/';
    assert.deepEqual(await problemsOf(url), [[url, 'SCRAPE_DNS_RESOLUTION_ERROR']]);
  });

  test('a page behind a challenge is a site error', async () => {
    const url = scene.web.url('challenge.test', '/vendor/403');
    assert.deepEqual(await problemsOf(url), [[url, 'SCRAPE_SITE_ERROR']]);
  });
});

// What a team has used and requested: credits and tokens of this month and before, and the requests of the last day.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { Firecrawl } from 'firecrawl';
import { openKeyRing } from '../../src/compose/commands/keys.ts';
import { readConfig } from '../../src/config/settings.ts';
import { type ClockedService, startClockedService } from '../support/clocked-service.ts';
import { storeSettings } from '../support/engines.ts';
import { fullTest, test } from '../support/full-run.ts';
import { runBatch, until } from '../support/jobs.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { startWeb, type Web } from '../support/web.ts';

const DAY = 24 * 3_600_000;

interface History {
  window?: { timeRange: string; binSize: string; startDate: string; endDate: string };
  periods: { startDate: string; endDate: string | null; apiKey?: string; creditsUsed: number; totalCredits: number }[];
}

interface Activity {
  data: { id: string; endpoint: string; api_version: string; created_at: string; target: string | null }[];
  cursor: string | null;
  has_more: boolean;
}

let web: Web;
before(async () => {
  web = await startWeb();
});
after(() => web.stop());

describe('over months', () => {
  let service: ClockedService;
  let keys: string[];

  before(async () => {
    service = await startClockedService(web, { TRAWL_AUTH: 'required', TRAWL_API_KEY: 'operator-key' });
    const ring = await openKeyRing(readConfig(await storeSettings(service.dataDir)));
    keys = [(await ring.create('default', {})).key, (await ring.create('default', {})).key];
    await ring.close();
  });
  after(() => service.remove());

  const get = async <T>(path: string, key = keys[0]!) => {
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, body: (await response.json()) as T & { error?: string } };
  };
  const scrape = async (key: string, more = {}) => {
    const response = await fetch(`${service.url}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: web.url('news.test', '/article/1'), maxAge: 0, ...more }),
    });
    assert.equal(response.status, 200);
  };
  const prefix = (key: string) => key.slice(0, 11);

  test('a team without any use has an empty history', async () => {
    assert.deepEqual((await get('/v2/team/credit-usage/historical')).body, { success: true, periods: [] });
    assert.deepEqual((await get('/v2/team/token-usage/historical')).body, { success: true, periods: [] });
    const recent = (await get<History>('/v2/team/credit-usage/historical?timeRange=day')).body;
    assert.deepEqual([recent.window?.binSize, recent.periods], ['hour', []]);
    assert.deepEqual((await get('/v2/team/activity')).body, { success: true, data: [], cursor: null, has_more: false });
  });

  test('months are listed oldest first, in all or by key', async () => {
    await scrape(keys[0]!);
    const first = new Date(service.now());
    service.turnAhead(32 * DAY);
    await scrape(keys[0]!);
    await scrape(keys[1]!, { zeroDataRetention: true });
    await scrape('operator-key');
    const second = new Date(service.now());
    const start = (date: Date, months = 0) =>
      new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)).toISOString();

    const { body } = await get<History>('/v2/team/credit-usage/historical');
    assert.deepEqual(body.periods, [
      { startDate: start(first), endDate: start(first, 1), creditsUsed: 1, totalCredits: 1 },
      { startDate: start(second), endDate: null, creditsUsed: 4, totalCredits: 4 },
    ]);
    const byKey = (await get<History>('/v2/team/credit-usage/historical?byApiKey=true')).body.periods;
    assert.deepEqual(
      byKey.map(({ startDate, apiKey, creditsUsed }) => [startDate, apiKey, creditsUsed]),
      [
        [start(first), prefix(keys[0]!), 1],
        [start(second), 'TRAWL_API_KEY', 1],
        ...keys.toSorted().map((key) => [start(second), prefix(key), key === keys[0] ? 1 : 2]),
      ],
    );
    const tokens = (await get<{ periods: object[] }>('/v2/team/token-usage/historical')).body.periods;
    assert.deepEqual(tokens, [
      { startDate: start(first), endDate: start(first, 1), tokensUsed: 0, totalTokens: 0 },
      { startDate: start(second), endDate: null, tokensUsed: 0, totalTokens: 0 },
    ]);
    const now = (await get<{ data: { remainingCredits: number } }>('/v2/team/credit-usage')).body.data;
    assert.equal(now.remainingCredits, 99_999_999 - 4);
  });

  test('a time range is divided into hours or days, and cut at the ends of its window', async () => {
    for (const [timeRange, binSize, days, bins] of [
      ['day', 'hour', 1, 25],
      ['week', 'day', 7, 8],
      ['month', 'day', 30, 31],
    ] as const) {
      const { body } = await get<History>(`/v2/team/credit-usage/historical?timeRange=${timeRange}`);
      const { window, periods } = body;
      assert.deepEqual([window!.timeRange, window!.binSize], [timeRange, binSize]);
      assert.equal(Date.parse(window!.endDate) - Date.parse(window!.startDate), days * DAY);
      assert.ok(periods.length >= bins - 1 && periods.length <= bins, `${periods.length} bins`);
      assert.equal(periods[0]!.startDate, window!.startDate);
      assert.equal(periods.at(-1)!.endDate, window!.endDate);
      for (const [index, { startDate }] of periods.slice(1).entries()) assert.equal(startDate, periods[index]!.endDate);
      const total = periods.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0);
      assert.equal(total, 4, 'the scrape of the month before is not in it');
    }
  });

  test('bad queries are refused in the words of the contract', async () => {
    for (const [path, words] of [
      ['/v2/team/credit-usage/historical?timeRange=year', /^timeRange must be day, week, or month\.$/],
      ['/v2/team/credit-usage/historical?timeRange=', /^timeRange must be day, week, or month\.$/],
      [
        '/v2/team/credit-usage/historical?timeRange=day&byApiKey=true',
        /^byApiKey cannot be combined with timeRange\.$/,
      ],
      ['/v2/team/activity?cursor=nonsense', /^Invalid cursor\.$/],
      [`/v2/team/activity?cursor=${'x'.repeat(5000)}`, /Invalid cursor\.$/],
      ['/v2/team/activity?endpoint=nowhere', /`endpoint` must be one of: scrape, /],
      ['/v2/team/activity?limit=0', /`limit` must be a whole number from 1 to 100\./],
      ['/v2/team/activity?limit=101', /`limit`/],
      ['/v2/team/activity?limit=1.5', /`limit`/],
    ] as const) {
      const { status, body } = await get<{ success: boolean }>(path);
      assert.deepEqual([status, body.success], [400, false], path);
      assert.match(body.error!, words);
    }
    assert.equal((await get('/v2/team/activity', 'wrong')).status, 401);
  });

  test('activity shows the last 24 hours', async () => {
    const count = async () => (await get<Activity>('/v2/team/activity')).body.data.length;
    assert.equal(await count(), 3);
    service.turnAhead(DAY);
    assert.equal(await count(), 0);
  });
});

describe('in a day', () => {
  let service: RunningProgram;
  let dataDir: string;
  const start = () => startServiceWith(web, { TRAWL_DATA_DIR: dataDir, TRAWL_API_KEY: 'fc-wire-key' });

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trawl-usage-'));
    service = await start();
  });
  after(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  const get = async <T>(path: string) => (await (await service.fetch(path)).json()) as T;
  const activity = (query = '') => get<Activity>(`/v2/team/activity${query}`);
  const used = async () =>
    99_999_999 - (await get<{ data: { remainingCredits: number } }>('/v2/team/credit-usage')).data.remainingCredits;
  const article = (n: number) => web.url('news.test', `/article/${n}`);

  test('each kind of request is billed once and listed with its id and target', async () => {
    const scraped = await service.scrape<{ data: { metadata: { scrapeId: string } } }>({ url: article(1) });
    const mapped = await service.post<{ id: string }>('/v2/map', { url: web.url('news.test'), limit: 5 });
    const form = new FormData();
    form.set('file', new Blob(['<h1>Upload</h1><p>Some text in a file.</p>'], { type: 'text/html' }), 'note.html');
    const parsed = (await (await service.fetch('/v2/parse', { method: 'POST', body: form })).json()) as {
      data: { metadata: { scrapeId: string } };
    };
    const batch = await service.post<{ id: string }>('/v2/batch/scrape', { urls: [article(1), article(2)] });
    const crawl = await service.post<{ id: string }>('/v2/crawl', { url: article(3), limit: 1, sitemap: 'skip' });
    for (const path of [`/v2/batch/scrape/${batch.body.id}`, `/v2/crawl/${crawl.body.id}`]) {
      await until(
        () => get<{ status: string }>(path),
        ({ status }) => status === 'completed',
      );
    }
    const found = await service.post<{ id: string; creditsUsed: number }>('/v2/search', {
      query: 'article',
      scrapeOptions: { formats: ['markdown'] },
    });
    assert.equal(await used(), 1 + 1 + 1 + 2 + 1 + found.body.creditsUsed);
    const { data, has_more, cursor } = await activity();
    assert.deepEqual(
      data.map(({ id, endpoint, target }) => [endpoint, id, target]),
      [
        ['search', found.body.id, 'article'],
        ['crawl', crawl.body.id, article(3)],
        ['batch_scrape', batch.body.id, article(1)],
        ['parse', parsed.data.metadata.scrapeId, 'note.html'],
        ['map', mapped.body.id, web.url('news.test')],
        ['scrape', scraped.body.data.metadata.scrapeId, article(1)],
      ],
    );
    assert.deepEqual([has_more, cursor, data[0]!.api_version], [false, null, 'v2']);
    assert.match(data[0]!.created_at, /^\d{4}-.*Z$/);
    const rated = await service.post('/v2/feedback', {
      endpoint: 'map',
      jobId: mapped.body.id,
      rating: 'good',
      note: 'All there.',
    });
    assert.equal(rated.status, 200, 'a map can be rated, too');
  });

  test('pages of the list fit together, also with a filter', async () => {
    const all = (await activity()).data.map(({ id }) => id);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Activity = await activity(`?limit=2${cursor && `&cursor=${cursor}`}`);
      assert.ok(page.data.length <= 2);
      assert.equal(page.has_more, page.cursor !== null);
      paged.push(...page.data.map(({ id }) => id));
      cursor = page.cursor;
    }
    assert.deepEqual(paged, all);
    assert.deepEqual(
      (await activity('?endpoint=map')).data.map(({ endpoint }) => endpoint),
      ['map'],
    );
    assert.deepEqual((await activity('?endpoint=agent')).data, []);
  });

  test('zero data retention and lockdown are listed without a target', async () => {
    await service.scrape({ url: article(4), zeroDataRetention: true });
    await service.scrape({ url: article(1), lockdown: true });
    await runBatch(service, { urls: [article(5)], zeroDataRetention: true });
    const newest = (await activity('?limit=3')).data;
    assert.deepEqual(
      newest.map(({ endpoint, target }) => [endpoint, target]),
      [
        ['batch_scrape', null],
        ['scrape', null],
        ['scrape', null],
      ],
    );
  });

  fullTest('what was answered is still billed and listed after a kill', async () => {
    const answers = Array.from({ length: 20 }, (_, n) => service.scrape({ url: article(n % 5), maxAge: 0 }));
    const ended = Promise.allSettled(answers);
    await Promise.all(answers.slice(0, 10));
    const before = await used();
    const listed = (await activity()).data.length;
    await service.kill();
    await ended;
    service = await start();
    assert.ok((await used()) >= before);
    assert.ok((await activity()).data.length >= listed);
  });

  test('the public SDK reads all of it', async () => {
    const client = new Firecrawl({ apiKey: 'fc-wire-key', apiUrl: service.url });
    const tokens = await client.getTokenUsage();
    assert.deepEqual([tokens.remainingTokens, tokens.planTokens], [1_499_999_985, 1_499_999_985]);
    const months = (await client.getCreditUsageHistorical()).periods;
    assert.equal(months.length, 1);
    assert.equal(months[0]!.creditsUsed, await used());
    assert.equal((await client.getCreditUsageHistorical(true)).periods[0]!.apiKey, 'TRAWL_API_KEY');
    assert.equal((await client.getTokenUsageHistorical()).periods[0]!.tokensUsed, 0);
    assert.equal((await client.getTokenUsageHistorical(true)).periods[0]!.apiKey, 'TRAWL_API_KEY');
  });
});

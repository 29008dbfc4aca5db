// The `screenshot` format: its options and its links, in scrapes, jobs and searches, and that zero data retention
// leaves no files behind.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { type ClockedService, startClockedService } from '../support/clocked-service.ts';
import { BATCH, type JobDocument, type JobStatus, pathsOf, read, runBatch, runCrawl, until } from '../support/jobs.ts';
import { readPicture } from '../support/picture.ts';
import { search, type WebItem } from '../support/search/search.ts';
import type { RunningService } from '../support/service.ts';
import { storyMarker } from '../support/web/browser-pages.ts';
import { startWeb, type Web } from '../support/web.ts';

interface Scraped {
  success: boolean;
  code?: string;
  data: { screenshot: string; markdown?: string; warning?: string; metadata: Record<string, unknown> };
}
type Pictured<T> = T & { screenshot: string };

const HOUR = 3_600_000;

describe('screenshots', NEEDS_BROWSER, () => {
  let web: Web;
  let service: ClockedService;

  before(async () => {
    web = await startWeb();
    service = await startClockedService(web, {
      TRAWL_BROWSER: 'auto',
      PATH: process.env.PATH ?? '',
      TRAWL_TEAM_FEATURES: 'zdr',
    });
  });
  after(async () => {
    await service?.remove();
    await web?.stop();
  });

  /** The service at its own address. */
  const client = clientAt((path) => new URL(path, service.url));
  /** The same service under another host name. */
  const byName = clientAt((path) => new URL(path, service.url.replace('127.0.0.1', 'localhost')));

  async function scrape(host: string, path: string, options: object): Promise<Scraped> {
    return (await client.post<Scraped>('/v2/scrape', { url: web.url(host, path), ...options })).body;
  }
  /** Fetches without a key, as any program with the link can. */
  const pictureAt = async (link: string) => readPicture(await (await fetch(link)).bytes());
  const shoot = async (path: string, options: object = {}) => {
    const { data } = await scrape('room.test', path, { formats: [{ type: 'screenshot', ...options }] });
    return pictureAt(data.screenshot);
  };
  const blobs = () =>
    readdirSync(service.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.db(-\w+)?$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();

  test('a screenshot has the requested size and type', async () => {
    const viewport = { width: 500, height: 300 };
    const pictures = [{}, { fullPage: true }, { quality: 40, viewport }, { fullPage: true, viewport }];
    assert.deepEqual(await Promise.all(pictures.map((options) => shoot('/bands', options))), [
      { type: 'png', width: 1280, height: 800 },
      { type: 'png', width: 1280, height: 1800 },
      { type: 'jpeg', ...viewport },
      { type: 'png', width: 500, height: 1800 },
    ]);
  });

  test('a screenshot comes beside other formats, alone if it is the only format, and only on request', async () => {
    const { data } = await scrape('room.test', '/number/1', { formats: ['markdown', 'screenshot'] });
    assert.match(data.markdown!, /Seen \/number\/1/);
    assert.deepEqual(Object.keys(data).sort(), ['markdown', 'metadata', 'screenshot']);
    const alone = await scrape('room.test', '/number/1', { formats: ['screenshot'] });
    assert.deepEqual(Object.keys(alone.data).sort(), ['metadata', 'screenshot']);
    const none = await scrape('room.test', '/number/1', {});
    assert.deepEqual(Object.keys(none.data).sort(), ['markdown', 'metadata']);
  });

  test('a screenshot comes from the cache if its options and age fit, each time with a new link for 24 hours', async () => {
    const path = '/number/2';
    const requests = () => web.requests('room.test', path);
    const shot = async (options: object = {}, more: object = {}) =>
      (await scrape('room.test', path, { formats: ['markdown', { type: 'screenshot', ...options }], ...more })).data;
    const first = await shot();
    assert.deepEqual([first.metadata.cacheState, first.metadata.creditsUsed], ['miss', 1]);
    const before = requests();
    service.turnAhead(HOUR);
    const second = await shot();
    assert.equal(second.metadata.cacheState, 'hit');
    assert.notEqual(second.screenshot, first.screenshot);
    assert.equal(second.markdown, first.markdown);
    assert.equal((await scrape('room.test', path, {})).data.metadata.cacheState, 'hit', 'without a screenshot, too');
    assert.equal(requests(), before);
    for (const options of [{ fullPage: true }, { quality: 50 }, { viewport: { width: 400, height: 300 } }]) {
      assert.equal((await shot(options)).metadata.cacheState, 'miss', JSON.stringify(options));
      assert.equal((await shot(options)).metadata.cacheState, 'hit', JSON.stringify(options));
    }
    assert.equal((await shot({}, { mobile: true })).metadata.cacheState, 'miss');
    assert.equal((await shot({}, { maxAge: 0 })).metadata.cacheState, undefined);

    const latest = await shot();
    service.turnAhead(24 * HOUR - 60_000);
    assert.equal((await fetch(first.screenshot)).status, 404);
    assert.deepEqual(await pictureAt(latest.screenshot), { type: 'png', width: 1280, height: 800 });
    service.turnAhead(120_000);
    assert.equal((await fetch(latest.screenshot)).status, 404);
    const later = await shot();
    assert.equal(later.metadata.cacheState, 'hit', 'the file stays with its page, although no link to it is valid');
    assert.deepEqual(await pictureAt(later.screenshot), { type: 'png', width: 1280, height: 800 });
    const locked = await shot({}, { lockdown: true });
    assert.match(locked.screenshot, /^data:image\/png;base64,/);
    const none = await shot({ quality: 7 }, { lockdown: true });
    assert.deepEqual([none.screenshot, none.markdown], [null, first.markdown]);
    const missed = await scrape('room.test', path, { formats: [{ type: 'screenshot', quality: 7 }], lockdown: true });
    assert.equal(missed.code, 'SCRAPE_LOCKDOWN_CACHE_MISS');
  });

  test('a file has no screenshot, but everything else', async () => {
    const both = await scrape('files.test', '/paper.pdf', { formats: ['markdown', 'screenshot'] });
    assert.match(both.data.markdown!, /A paper about harbours/);
    assert.equal(both.data.screenshot, null);
    assert.match(both.data.warning!, /^`screenshot` is missing\. The URL leads to a file \(application\/pdf\)/);
    const alone = await scrape('files.test', '/paper.pdf', { formats: ['screenshot'] });
    assert.equal(alone.code, 'SCRAPE_UNSUPPORTED_FILE_ERROR');
    const text = await scrape('files.test', '/notes.txt', { formats: ['markdown', 'screenshot'] });
    assert.match(text.data.markdown!, /Line one/);
  });

  test('with zero data retention the screenshot itself is in the answer, and no file is left', async () => {
    const before = blobs();
    const path = '/number/unseen';
    const { data } = await scrape('room.test', path, { formats: ['screenshot'], zeroDataRetention: true });
    assert.match(data.screenshot, /^data:image\/png;base64,/);
    assert.deepEqual(await pictureAt(data.screenshot), { type: 'png', width: 1280, height: 800 });
    assert.equal(data.metadata.creditsUsed, 2);
    assert.deepEqual(blobs(), before);
    assert.equal((await client.fetch(`/v2/scrape/${data.metadata.scrapeId}`)).status, 404);
    const traces = readdirSync(service.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('number/unseen'));
    assert.deepEqual(traces, []);
  });

  test('pages of a batch or crawl have screenshots, with links under the host name that started the job', async () => {
    const scrapeOptions = { formats: ['markdown', 'screenshot'] };
    const [batch, crawl] = await Promise.all([
      runBatch(byName, { urls: [web.url('room.test', '/number/3'), web.url('room.test', '/bands')], ...scrapeOptions }),
      runCrawl(byName, { url: web.url('app.test', '/'), scrapeOptions }),
    ]);
    assert.deepEqual(pathsOf(crawl.documents), ['/', '/story/one', '/story/two']);
    for (const document of [...batch.documents, ...crawl.documents] as Pictured<JobDocument>[]) {
      assert.match(document.screenshot, /^http:\/\/localhost:\d+\/files\//);
      assert.deepEqual(await pictureAt(document.screenshot), { type: 'png', width: 1280, height: 800 });
    }
    const { body } = await read<JobStatus>(client, `${BATCH}/${batch.id}`);
    assert.deepEqual(body.data, batch.documents, 'the links are the same for every reader');
  });

  test('scraped search results have screenshots', async () => {
    await scrape('app.test', '/story/needle', {});
    const query = `"${storyMarker('needle')}"`;
    const scrapeOptions = { formats: ['screenshot'] };
    const { data } = await until(
      () => search(client, { query, scrapeOptions, limit: 1 }),
      (found) => found.data.web?.length === 1,
    );
    const [result] = data.web as Pictured<WebItem>[];
    assert.deepEqual(await pictureAt(result!.screenshot), { type: 'png', width: 1280, height: 800 });
  });

  test('a stored scrape still has its link, and the link works for 24 hours', async () => {
    const { data } = await scrape('room.test', '/bands', { formats: ['screenshot'] });
    service.turnAhead(24 * HOUR - 60_000);
    const stored = (await read<Scraped>(client, `/v2/scrape/${data.metadata.scrapeId}`)).body;
    assert.equal(stored.data.screenshot, data.screenshot);
    assert.equal((await fetch(data.screenshot)).status, 200);
    service.turnAhead(120_000);
    assert.equal((await fetch(data.screenshot)).status, 404);
  });
});

/** Implements what the job helpers need of a running service. */
function clientAt(locate: (path: string) => URL): RunningService {
  return {
    fetch: (path: string, init?: RequestInit) => fetch(locate(path), init),
    async post(path: string, body: unknown) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(locate(path), { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  } as RunningService;
}

// Screenshots from the cache, of files, and in jobs and searches.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { BATCH, type JobDocument, type JobStatus, pathsOf, read, runBatch, runCrawl, until } from '../support/jobs.ts';
import { useScreenshots } from '../support/screenshots.ts';
import { search, type WebItem } from '../support/search/search.ts';
import { storyMarker } from '../support/web/browser-pages.ts';

type Pictured<T> = T & { screenshot: string };

const HOUR = 3_600_000;

describe('screenshots', NEEDS_BROWSER, () => {
  const scene = useScreenshots();
  const { client, byName, scrape, pictureAt } = scene;

  test('a screenshot comes from the cache if its options and age fit, with the same link for 24 hours', async () => {
    const path = '/number/2';
    const requests = () => scene.web.requests('room.test', path);
    const shot = async (options: object = {}, more: object = {}) =>
      (await scrape('room.test', path, { formats: ['markdown', { type: 'screenshot', ...options }], ...more })).data;
    const first = await shot();
    assert.deepEqual([first.metadata.cacheState, first.metadata.creditsUsed], ['miss', 1]);
    const before = requests();
    scene.service.turnAhead(HOUR);
    const second = await shot();
    assert.equal(second.metadata.cacheState, 'hit');
    assert.equal(second.screenshot, first.screenshot);
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
    scene.service.turnAhead(24 * HOUR - 60_000);
    assert.equal((await fetch(first.screenshot)).status, 404);
    assert.deepEqual(await pictureAt(latest.screenshot), { type: 'png', width: 1280, height: 800 });
    scene.service.turnAhead(120_000);
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

  test('pages of a batch or crawl have screenshots, with links under the host name that started the job', async () => {
    const scrapeOptions = { formats: ['markdown', 'screenshot'] };
    const [batch, crawl] = await Promise.all([
      runBatch(byName, {
        urls: [scene.web.url('room.test', '/number/3'), scene.web.url('room.test', '/bands')],
        ...scrapeOptions,
      }),
      runCrawl(byName, { url: scene.web.url('app.test', '/'), scrapeOptions }),
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
});

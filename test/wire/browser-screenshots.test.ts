// The `screenshot` format: its options and its links, and that zero data retention leaves no files behind.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { read } from '../support/jobs.ts';
import { type Scraped, useScreenshots } from '../support/screenshots.ts';

const HOUR = 3_600_000;

describe('screenshots', NEEDS_BROWSER, () => {
  const scene = useScreenshots();
  const { client, scrape, pictureAt, shoot, blobs } = scene;

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

  test('with zero data retention the screenshot itself is in the answer, and no file is left', async () => {
    const before = blobs();
    const path = '/number/unseen';
    const { data } = await scrape('room.test', path, { formats: ['screenshot'], zeroDataRetention: true });
    assert.match(data.screenshot, /^data:image\/png;base64,/);
    assert.deepEqual(await pictureAt(data.screenshot), { type: 'png', width: 1280, height: 800 });
    assert.equal(data.metadata.creditsUsed, 2);
    assert.deepEqual(blobs(), before);
    assert.equal((await client.fetch(`/v2/scrape/${data.metadata.scrapeId}`)).status, 404);
    const traces = readdirSync(scene.service.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('number/unseen'));
    assert.deepEqual(traces, []);
  });

  test('a stored scrape still has its link, and the link works for 24 hours', async () => {
    const { data } = await scrape('room.test', '/bands', { formats: ['screenshot'] });
    scene.service.turnAhead(24 * HOUR - 60_000);
    const stored = (await read<Scraped>(client, `/v2/scrape/${data.metadata.scrapeId}`)).body;
    assert.equal(stored.data.screenshot, data.screenshot);
    assert.equal((await fetch(data.screenshot)).status, 200);
    scene.service.turnAhead(120_000);
    assert.equal((await fetch(data.screenshot)).status, 404);
  });
});

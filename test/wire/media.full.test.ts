// Media wherever a page names it, in ranges, large and without end, and with or without the tools for it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeMedia, mediaSite, NEEDS_FFMPEG, NEEDS_YT_DLP } from '../support/media.ts';
import { startServiceWith } from '../support/service.ts';
import { page, send } from '../support/web/reply.ts';
import { startWeb } from '../support/web.ts';
import {
  FILM,
  fetched,
  HOST,
  LARGE,
  MB,
  media,
  type Scraped,
  scrape,
  service,
  useMedia,
  web,
} from '../support/wire/media.ts';

useMedia();

/** Read from /proc on Linux, in bytes. */
const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

describe('media', NEEDS_FFMPEG, () => {
  test('a range of a video can be requested', async () => {
    const { body } = await scrape('/shared', ['video']);
    const all = await (await fetch(body.data.video!)).bytes();
    const part = await fetch(body.data.video!, { headers: { range: 'bytes=1000-1999' } });
    assert.equal(part.status, 206);
    assert.deepEqual(await part.bytes(), all.slice(1000, 2000));
    assert.equal((await fetch(`${body.data.video!}x`)).status, 404);
  });

  test('videos are found in JSON-LD, recordings in enclosures', async () => {
    const described = await scrape('/described', ['video']);
    assert.deepEqual((await fetched(described.body.data.video!)).streams, FILM);
    assert.equal(described.body.data.videos![0]!.title, 'The film');
    const podcast = await scrape('/podcast', ['audio']);
    assert.deepEqual((await fetched(podcast.body.data.audio!)).streams, ['mp3']);
  });

  test('a URL can be the video, the recording or the playlist itself', async () => {
    for (const path of ['/film.mp4', '/secret/index.m3u8', '/dash/timeline.mpd']) {
      const { body } = await scrape(path, ['video']);
      assert.equal(body.success, true, `${path}: ${body.error}`);
      assert.deepEqual((await fetched(body.data.video!)).streams, FILM, path);
    }
    const { body } = await scrape('/tone.mp3', ['audio']);
    assert.deepEqual(await (await fetch(body.data.audio!)).bytes(), new Uint8Array(media.bytes('tone.mp3')));
  });

  test('when a scrape times out, its download ends and leaves nothing behind', async () => {
    const { status, body } = await scrape('/endless', ['video'], { timeout: 1_500 });
    // On a fast machine the size limit is reached before the timeout.
    assert.ok(['SCRAPE_TIMEOUT', 'SCRAPE_MEDIA_TOO_LARGE'].includes(body.code!), `${status} ${body.code}`);
    const work = join(service.dataDir, 'media');
    for (let waited = 0; waited < 1_500 && existsSync(work) && readdirSync(work).length > 0; waited++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual(existsSync(work) ? readdirSync(work) : [], []);
  });

  test('a large video is streamed through the disk and not held in memory, in both directions', async () => {
    const before = peakMemory(service.pid);
    const { body } = await scrape('/large.webm', ['video'], { timeout: 60_000 });
    assert.equal(body.success, true, body.error);
    const response = await fetch(body.data.video!);
    let size = 0;
    for await (const chunk of response.body!) size += chunk.length;
    assert.ok(size > LARGE, String(size));
    // On a busy machine, garbage is collected late.
    assert.ok(peakMemory(service.pid) - before < LARGE / 2, `${(peakMemory(service.pid) - before) / MB} MB`);
  });

  test('a service without ffmpeg says so, and how to get it', async (t) => {
    const without = await startServiceWith(web, { TRAWL_FFMPEG: 'off' });
    t.after(() => without.stop());
    const { status, body } = await without.scrape<Scraped>({ url: web.url(HOST, '/watch'), formats: ['video'] });
    assert.deepEqual([status, body.code], [503, 'NO_MEDIA_TOOLS']);
    assert.match(body.error!, /TRAWL_FFMPEG/);
    const both = await without.scrape<Scraped>({ url: web.url(HOST, '/watch'), formats: ['video', 'markdown'] });
    assert.deepEqual([both.status, both.body.data.video], [200, null]);
    assert.match(both.body.data.warning!, /^`video` is missing\. .*TRAWL_FFMPEG/);
  });
});

describe('media with yt-dlp', NEEDS_YT_DLP, () => {
  test('a page whose video we cannot find is read by yt-dlp', async (t) => {
    const media = makeMedia();
    t.after(media.remove);
    const player = '<script>jwplayer("x").setup({"file": "/film.mp4", "title": "Hidden"});</script>';
    const web = await startWeb({
      [HOST]: mediaSite(media, { '/hidden': (exchange) => send(exchange, page('Hidden', player)) }),
    });
    t.after(() => web.stop());
    const service = await startServiceWith(web, { TRAWL_BROWSER: 'off' });
    t.after(() => service.stop());
    const { body } = await service.scrape<Scraped>({
      url: web.url(HOST, '/hidden'),
      formats: ['video'],
      timeout: 90_000,
    });
    assert.equal(body.success, true, body.error);
    assert.equal(body.data.videos![0]!.source, 'yt-dlp');
    assert.equal((await fetch(body.data.video!)).status, 200);
  });
});

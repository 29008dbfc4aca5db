// Audio and video of a scrape, as a caller gets them: links that work without a key, prices, refusals, and no leftovers.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { VideoFact } from '../../src/contracts/media.ts';
import {
  endless,
  type MediaFolder,
  makeMedia,
  mediaSite,
  NEEDS_FFMPEG,
  NEEDS_YT_DLP,
  probe,
} from '../support/media.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { page, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const HOST = 'media.test';
const FILM = ['h264 160x120', 'aac'];
const MB = 1024 * 1024;
const LARGE = 110 * MB;

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  data: {
    markdown?: string | null;
    audio?: string | null;
    video?: string | null;
    warning?: string;
    videos?: VideoFact[];
    metadata: { creditsUsed: number; cacheState: string };
  };
}

describe('media', NEEDS_FFMPEG, () => {
  let web: Web;
  let service: RunningService;
  let media: MediaFolder;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trawl-fetched-'));
    media = makeMedia();
    const html = (body: string, head = '') =>
      page('A film', `<p>There is a film to see on this page.</p>${body}`, head);
    web = await startWeb({
      [HOST]: mediaSite(media, {
        '/watch': (exchange) => send(exchange, html('<video controls><source src="/master.m3u8"></video>')),
        '/shared': (exchange) => send(exchange, html('', '<meta property="og:video" content="/film.mp4">')),
        '/described': (exchange) =>
          send(
            exchange,
            html(
              '',
              '<script type="application/ld+json">{"@type":"VideoObject","name":"The film","contentUrl":"/dash/timeline.mpd"}</script>',
            ),
          ),
        '/podcast': (exchange) => send(exchange, html('', '<link rel="enclosure" href="/tone.mp3" type="audio/mpeg">')),
        '/words': (exchange) => send(exchange, html('')),
        '/members': (exchange) => send(exchange, html('<video src="/denied.mp4"></video>')),
        '/denied.mp4': (exchange) => send(exchange, 'no', { status: 403 }),
        '/trap': (exchange) => send(exchange, html('<video src="http://10.0.0.1/film.mp4"></video>')),
        '/endless': (exchange) => send(exchange, html('<video src="/endless.mp4"></video>')),
        '/endless.mp4': endless(media.bytes('film.mp4')),
        '/large.webm': (exchange) => sendLarge(exchange.response, media.bytes('film.webm')),
      }),
    });
    service = await startServiceWith(web, {
      TRAWL_MAX_MEDIA_MB: '120',
      TRAWL_YT_DLP: 'off',
      TRAWL_TEAM_FEATURES: 'zdr',
    });
  });
  after(async () => {
    await service?.stop();
    await web?.stop();
    media?.remove();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const scrape = (path: string, formats: string[], more: object = {}) =>
    service.scrape<Scraped>({ url: web.url(HOST, path), formats, ...more });

  /** Fetches without a key. */
  async function fetched(link: string) {
    const response = await fetch(link);
    assert.equal(response.status, 200);
    const file = join(folder, 'file');
    writeFileSync(file, await response.bytes());
    return { type: response.headers.get('content-type'), ...probe(file) };
  }

  test('a page with a player returns its video and audio behind links, beside its text', async () => {
    const { body } = await scrape('/watch', ['markdown', 'video', 'audio']);
    const { markdown, video, audio, videos, metadata } = body.data;
    assert.match(markdown!, /There is a film/);
    const film = await fetched(video!);
    assert.deepEqual([film.type, film.streams], ['video/mp4', FILM]);
    const sound = await fetched(audio!);
    assert.deepEqual([sound.type, sound.streams], ['audio/mpeg', ['mp3']]);
    const left = Number(new URL(video!).searchParams.get('expires')) - Date.now();
    assert.ok(left > 3_500_000 && left <= 3_600_000, String(left));
    const [fact] = videos!;
    assert.deepEqual(
      [fact!.url, fact!.sourceURL, fact!.kind, fact!.width],
      [web.url(HOST, '/master.m3u8'), web.url(HOST, '/watch'), 'hls', 160],
    );
    assert.equal(metadata.creditsUsed, 1 + 4 + 4);
    const again = await scrape('/watch', ['video']);
    assert.notEqual(again.body.data.metadata.cacheState, 'hit');
    assert.notEqual(again.body.data.video, video);
  });

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

  test('media that cannot be fetched is refused with its code and a reason', async () => {
    const refusals = [
      ['/words', 'video', 500, 'SCRAPE_VIDEO_UNSUPPORTED_URL'],
      ['/words', 'audio', 500, 'SCRAPE_AUDIO_UNSUPPORTED_URL'],
      ['/podcast', 'video', 500, 'SCRAPE_VIDEO_UNSUPPORTED_URL'],
      ['/members', 'video', 403, 'SCRAPE_MEDIA_ACCESS_DENIED'],
      ['/endless', 'video', 500, 'SCRAPE_MEDIA_TOO_LARGE'],
    ] as const;
    for (const [path, format, status, code] of refusals) {
      const answer = await scrape(path, [format]);
      assert.deepEqual([answer.status, answer.body.code], [status, code], `${path} ${format}: ${answer.body.error}`);
    }
    const traceless = await scrape('/watch', ['video'], { zeroDataRetention: true });
    assert.deepEqual([traceless.status, traceless.body.code], [400, 'BAD_REQUEST']);
    assert.match(traceless.body.error!, /zero data retention/);
  });

  test('a format that the page does not have takes no other away, and costs nothing', async () => {
    const given = async (path: string, formats: string[], more: object = {}) => {
      const { body } = await scrape(path, formats, more);
      assert.equal(body.success, true, body.error);
      const { data } = body;
      return { ...data, has: formats.map((format) => typeof data[format as 'audio']), cost: data.metadata.creditsUsed };
    };
    const words = await given('/words', ['markdown', 'audio']);
    assert.deepEqual([words.audio, words.cost], [null, 1]);
    assert.match(words.markdown!, /There is a film/);
    assert.match(words.warning!, /^`audio` is missing\. No audio or video could be fetched/);
    const podcast = await given('/podcast', ['video', 'audio']);
    assert.deepEqual([podcast.video, podcast.has[1], podcast.cost], [null, 'string', 5]);
    assert.match(podcast.warning!, /^`video` is missing\./);
    const film = await given('/film.mp4', ['markdown', 'links', 'video']);
    assert.deepEqual([film.markdown, 'links' in film, film.has[2], film.cost], [null, false, 'string', 5]);
    assert.match(film.warning!, /^`markdown`, `links` are missing\. The URL leads to an audio or video file/);
    const traceless = await given('/watch', ['markdown', 'video'], { zeroDataRetention: true });
    assert.match(traceless.warning!, /^`video` is missing\. .*zero data retention/);
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
    assert.ok(peakMemory(service.pid) - before < 70 * MB, `${(peakMemory(service.pid) - before) / MB} MB`);
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

/** A video followed by a large EBML Void element, which players skip. */
function sendLarge(response: import('node:http').ServerResponse, film: Buffer): void {
  const head = Buffer.alloc(9);
  head[0] = 0xec;
  head.writeBigUInt64BE((1n << 56n) | BigInt(LARGE), 1);
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': film.length + head.length + LARGE,
  });
  response.write(film);
  response.write(head);
  const chunk = Buffer.alloc(MB);
  let left = LARGE;
  const more = () => {
    while (left > 0) {
      left -= MB;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}

/** Read from /proc on Linux, in bytes. */
const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

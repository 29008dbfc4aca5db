// From candidates to files: every kind of file and playlist, what is refused and why, and cleaning up.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { fullTest, test } from '../../support/full-run.ts';
import { endless, NEEDS_FFMPEG } from '../../support/media.ts';
import { type Handler, send } from '../../support/web/reply.ts';
import { checkPlaylist, FILM, useMedia } from './media-harness.ts';

describe('media', NEEDS_FFMPEG, () => {
  const asked: { path: string; own: unknown; referer: unknown }[] = [];
  const recorded =
    (handle: Handler): Handler =>
    (exchange) => {
      const { 'x-own': own, referer } = exchange.headers;
      asked.push({ path: exchange.path, own, referer });
      return handle(exchange);
    };
  const harness = useMedia((media) => ({
    paths: {
      '/denied.mp4': (exchange) => send(exchange, 'no', { status: 403 }),
      '/missing.mp4': (exchange) => send(exchange, 'no', { status: 404 }),
      '/page.html': (exchange) => send(exchange, '<html><p>A page, and no film.'),
      '/endless.mp4': endless(media.bytes('film.mp4')),
      '/huge.mp4': ({ response }) => {
        response.writeHead(200, { 'content-length': 10 ** 12 });
        response.write(media.bytes('film.mp4'));
      },
      '/cut.mp4': (exchange) => send(exchange, media.bytes('film.mp4').subarray(0, 20_000)),
      '/moved.mp4': redirectTo('/film.mp4'),
      '/inside.mp4': redirectTo('http://10.0.0.1/film.mp4'),
      '/away.m3u8': recorded((exchange) => send(exchange, `#EXTM3U\n${exchange.origin('other.test')}/film.ts\n`)),
      '/live.m3u8': (exchange) => send(exchange, '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:1,\nts/index0.ts\n'),
      '/drm.m3u8': (exchange) =>
        send(
          exchange,
          '#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"\nts/index0.ts\n',
        ),
      '/wrong-key.m3u8': (exchange) =>
        send(exchange, '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="/page.html"\nsecret/index0.ts\n'),
      '/thief.m3u8': (exchange) => send(exchange, '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
      '/script.mp4': (exchange) => send(exchange, "ffconcat version 1.0\nfile '/etc/passwd'\n", { type: 'video/mp4' }),
      '/key-inside.m3u8': (exchange) =>
        send(exchange, '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="http://169.254.169.254/key"\nsecret/index0.ts\n'),
    },
    sites: { 'other.test': { '/film.ts': recorded((exchange) => send(exchange, media.bytes('ts/index0.ts'))) } },
  }));

  test('an MP4 keeps its streams', async () => {
    const { video, audio } = await harness.gather('/film.mp4', ['video']);
    assert.deepEqual([video?.name, video?.streams, audio], ['video.mp4', FILM, undefined]);
    assert.ok(Math.abs(video!.duration - 2) < 0.2, String(video!.duration));
  });

  test('the sound of a video is returned as MP3, with the video or alone', async () => {
    for (const formats of [['audio'], ['audio', 'video']] as const) {
      const { audio, video } = await harness.gather('/film.mp4', [...formats]);
      assert.deepEqual([audio?.name, audio?.format, audio?.streams], ['audio.mp3', 'mp3', ['mp3']]);
      assert.ok(Math.abs(audio!.duration - 2) < 0.2, String(audio!.duration));
      assert.equal(video !== undefined, formats.includes('video' as never));
    }
  });

  for (const [what, path] of [
    ['an HLS master playlist', '/master.m3u8'],
    ['encrypted HLS', '/secret/index.m3u8'],
    ['DASH with a timeline', '/dash/timeline.mpd'],
  ] as const) {
    test(`${what} becomes one MP4 of the best quality, and its sound an MP3`, () => checkPlaylist(harness, path));
  }

  test('only separate audio is fetched when no video is requested', async () => {
    const before = harness.web.requests('media.test', '/apart/picture0.ts');
    const { audio } = await harness.gather('/apart.m3u8', ['audio']);
    assert.ok(Math.abs(audio!.duration - 2) < 0.3, String(audio!.duration));
    assert.equal(harness.web.requests('media.test', '/apart/picture0.ts'), before);
  });

  test('a live playlist gives the segments it lists', async () => {
    const { video } = await harness.gather('/live.m3u8', ['video']);
    assert.ok(Math.abs(video!.duration - 1) < 0.2, String(video!.duration));
  });

  test('a candidate that fails is followed by the next one', async () => {
    const offered = ['/missing.mp4', '/page.html', '/cut.mp4', '/film.mp4'].map((path) => ({ url: harness.url(path) }));
    assert.deepEqual((await harness.gather(offered, ['video'])).video?.streams, FILM);
  });

  fullTest(
    'a file that is not media, damaged or of the other kind is refused with the code of the format',
    async () => {
      for (const path of ['/page.html', '/missing.mp4', '/cut.mp4', '/script.mp4']) {
        assert.equal((await harness.refusal(path, ['video']))[0], 'SCRAPE_VIDEO_UNSUPPORTED_URL', path);
        assert.equal((await harness.refusal(path, ['audio']))[0], 'SCRAPE_AUDIO_UNSUPPORTED_URL', path);
      }
      assert.equal((await harness.refusal('/tone.mp3', ['video']))[0], 'SCRAPE_VIDEO_UNSUPPORTED_URL');
      assert.equal((await harness.refusal('/page.html', ['audio', 'video']))[0], 'SCRAPE_AUDIO_UNSUPPORTED_URL');
      assert.equal((await harness.refusal('/silent.mp4', ['audio']))[0], 'SCRAPE_AUDIO_UNSUPPORTED_URL');
      assert.equal((await harness.refusal([], ['video']))[0], 'SCRAPE_VIDEO_UNSUPPORTED_URL');
    },
  );

  fullTest('a format that is not there leaves the other one', async () => {
    const tone = await harness.gather('/tone.mp3', ['video', 'audio']);
    assert.deepEqual([tone.video, tone.audio?.streams], [undefined, ['mp3']]);
    const silent = await harness.gather('/silent.mp4', ['audio', 'video']);
    assert.deepEqual([silent.audio, silent.video?.streams.length], [undefined, 1]);
  });

  test('forbidden files, protected streams and wrong keys are reported as access denied', async () => {
    for (const path of ['/denied.mp4', '/drm.m3u8', '/wrong-key.m3u8']) {
      assert.equal((await harness.refusal(path, ['video']))[0], 'SCRAPE_MEDIA_ACCESS_DENIED', path);
    }
  });

  test('media that are too large are refused, whether announced, endless or in segments', async () => {
    for (const path of ['/huge.mp4', '/endless.mp4']) {
      assert.equal((await harness.refusal(path, ['video']))[0], 'SCRAPE_MEDIA_TOO_LARGE', path);
    }
    for (const path of ['/ts/index.m3u8', '/dash/timeline.mpd']) {
      assert.equal((await harness.refusal(path, ['video'], { maxBytes: 25_000 }))[0], 'SCRAPE_MEDIA_TOO_LARGE', path);
    }
  });

  test('redirects are followed, but no redirect, playlist or key into a private network', async () => {
    assert.deepEqual((await harness.gather('/moved.mp4', ['video'])).video?.streams, FILM);
    for (const path of ['/inside.mp4', '/thief.m3u8', '/key-inside.m3u8']) {
      assert.equal((await harness.refusal(path, ['video']))[0], 'UNSUPPORTED_SITE', path);
    }
  });

  test('an abort ends the work with its reason', async () => {
    const reason = new ServiceError('SCRAPE_TIMEOUT');
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 200);
    assert.equal(
      (await harness.refusal('/endless.mp4', ['video'], { maxBytes: 10 ** 12, signal: stop.signal }))[0],
      'SCRAPE_TIMEOUT',
    );
  });

  test("the caller's own headers are sent only to the page's origin", async () => {
    asked.length = 0;
    await harness.gather('/away.m3u8', ['audio'], { headers: { 'X-Own': 'mine', Range: 'bytes=5-9' } });
    assert.deepEqual(asked, [
      { path: '/away.m3u8', own: 'mine', referer: harness.url('/page') },
      { path: '/film.ts', own: undefined, referer: harness.url('/') },
    ]);
  });

  test("after a redirect of the page, nobody gets the caller's headers", async () => {
    asked.length = 0;
    const headers = { 'X-Own': 'mine' };
    await harness.gather('/away.m3u8', ['audio'], { headers, home: 'http://before-the-redirect.test/page' });
    assert.deepEqual(
      asked.map(({ own }) => own),
      [undefined, undefined],
    );
  });

  test('no files are left behind', () => {
    assert.deepEqual(harness.leftovers(), []);
  });
});

const redirectTo =
  (location: string): Handler =>
  (exchange) =>
    send(exchange, '', { status: 302, headers: { location } });

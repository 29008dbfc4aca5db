// From candidates to files: each kind of file and playlist, what is refused and why, and that nothing stays behind.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors.ts';
import { endless, NEEDS_FFMPEG } from '../../support/media.ts';
import { type Handler, send } from '../../support/web/reply.ts';
import { useMedia } from './scene.ts';

const FILM = ['h264 160x120', 'aac'];

describe('media', NEEDS_FFMPEG, () => {
  const asked: object[] = [];
  const remembered =
    (handle: Handler): Handler =>
    (exchange) => {
      const { 'x-own': own, referer } = exchange.headers;
      asked.push({ path: exchange.path, own, referer });
      return handle(exchange);
    };
  const scene = useMedia((media) => ({
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
      '/away.m3u8': remembered((exchange) => send(exchange, `#EXTM3U\n${exchange.origin('other.test')}/film.ts\n`)),
      '/live.m3u8': (exchange) => send(exchange, '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:1,\nts/index0.ts\n'),
      '/breaks.m3u8': (exchange) =>
        send(
          exchange,
          '#EXTM3U\n#EXTINF:1,\nts/index0.ts\n#EXTINF:1,\nts/index1.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nts/index0.ts\n#EXTINF:1,\nts/index1.ts\n#EXT-X-ENDLIST\n',
        ),
      '/anew.m3u8': (exchange) =>
        send(
          exchange,
          [
            '#EXTM3U',
            ...twice('#EXT-X-MAP:URI="fragments/init.mp4"\nfragments/index0.m4s\nfragments/index1.m4s'),
            '#EXT-X-ENDLIST',
          ].join('\n'),
        ),
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
    sites: { 'other.test': { '/film.ts': remembered((exchange) => send(exchange, media.bytes('ts/index0.ts'))) } },
  }));

  test('an MP4 comes with its streams as they are, ready to be played from the front', async () => {
    const { video, audio } = await scene.gather('/film.mp4', ['video']);
    assert.deepEqual([video?.name, video?.streams, audio], ['video.mp4', FILM, undefined]);
    assert.ok(Math.abs(video!.duration - 2) < 0.2, String(video!.duration));
  });

  test('the sound of a video comes as MP3, together with it or alone', async () => {
    for (const formats of [['audio'], ['audio', 'video']] as const) {
      const { audio, video } = await scene.gather('/film.mp4', [...formats]);
      assert.deepEqual([audio?.name, audio?.format, audio?.streams], ['audio.mp3', 'mp3', ['mp3']]);
      assert.ok(Math.abs(audio!.duration - 2) < 0.2, String(audio!.duration));
      assert.equal(video !== undefined, formats.includes('video' as never));
    }
  });

  test('WebM stays WebM, also beside its sound; FLAC becomes MP3, and MP3 stays as it is', async () => {
    const { video, audio } = await scene.gather('/film.webm', ['video', 'audio']);
    assert.deepEqual([video?.name, video?.streams], ['video.webm', ['vp8 160x120', 'vorbis']]);
    assert.deepEqual(audio?.streams, ['mp3']);
    assert.deepEqual((await scene.gather('/tone.flac', ['audio'])).audio?.streams, ['mp3']);
    assert.deepEqual((await scene.gather('/tone.mp3', ['audio'])).audio?.streams, ['mp3']);
  });

  for (const [what, path] of [
    ['an HLS master playlist', '/master.m3u8'],
    ['HLS in fragments of MP4', '/fragments/index.m3u8'],
    ['encrypted HLS', '/secret/index.m3u8'],
    ['HLS in byte ranges of one file', '/ranges/index.m3u8'],
    ['HLS with its sound apart', '/apart.m3u8'],
    ['DASH with a timeline', '/dash/timeline.mpd'],
    ['DASH with a list of byte ranges', '/list/list.mpd'],
  ]) {
    test(`${what} becomes one MP4 of the best quality, and its sound an MP3`, async () => {
      const { video, audio, videos } = await scene.gather(path!, ['video', 'audio']);
      assert.deepEqual([video?.name, video?.streams], ['video.mp4', FILM]);
      assert.ok(Math.abs(video!.duration - 2) < 0.3, String(video!.duration));
      assert.deepEqual(audio?.streams, ['mp3']);
      assert.deepEqual(videos, [
        {
          url: scene.url(path!),
          sourceURL: scene.url('/page'),
          source: 'element',
          kind: path!.endsWith('.mpd') ? 'dash' : 'hls',
          duration: (videos[0] as { duration: number }).duration,
          width: 160,
          height: 120,
        },
      ]);
      assert.ok(Math.abs(audio!.duration - 2) < 0.3, String(audio!.duration));
    });
  }

  test('only the sound is fetched where it comes apart and nothing else is wanted', async () => {
    const before = scene.web.requests('media.test', '/apart/picture0.ts');
    const { audio } = await scene.gather('/apart.m3u8', ['audio']);
    assert.ok(Math.abs(audio!.duration - 2) < 0.3, String(audio!.duration));
    assert.equal(scene.web.requests('media.test', '/apart/picture0.ts'), before);
  });

  test('of a live playlist comes what it holds', async () => {
    const { video } = await scene.gather('/live.m3u8', ['video']);
    assert.ok(Math.abs(video!.duration - 1) < 0.2, String(video!.duration));
  });

  test('where timing begins anew, in streams or in fragments, the film goes on', async () => {
    for (const path of ['/breaks.m3u8', '/anew.m3u8']) {
      const { video } = await scene.gather(path, ['video']);
      assert.deepEqual(video?.streams, FILM);
      assert.ok(Math.abs(video!.duration - 4) < 0.4, `${path}: ${video!.duration}`);
    }
  });

  test('a candidate that gives nothing leads to the next one', async () => {
    const offered = ['/missing.mp4', '/page.html', '/cut.mp4', '/film.mp4'].map((path) => ({ url: scene.url(path) }));
    assert.deepEqual((await scene.gather(offered, ['video'])).video?.streams, FILM);
  });

  test('what is no media, damaged or of the other kind is refused with the code of the format', async () => {
    for (const path of ['/page.html', '/missing.mp4', '/cut.mp4', '/script.mp4']) {
      assert.equal((await scene.refusal(path, ['video']))[0], 'SCRAPE_VIDEO_UNSUPPORTED_URL', path);
      assert.equal((await scene.refusal(path, ['audio']))[0], 'SCRAPE_AUDIO_UNSUPPORTED_URL', path);
    }
    assert.equal((await scene.refusal('/tone.mp3', ['video', 'audio']))[0], 'SCRAPE_VIDEO_UNSUPPORTED_URL');
    assert.equal((await scene.refusal('/silent.mp4', ['audio']))[0], 'SCRAPE_AUDIO_UNSUPPORTED_URL');
    assert.equal((await scene.refusal([], ['video']))[0], 'SCRAPE_VIDEO_UNSUPPORTED_URL');
  });

  test('what nobody may have is told so: refused files, protected streams, keys that do not fit', async () => {
    for (const path of ['/denied.mp4', '/drm.m3u8', '/wrong-key.m3u8']) {
      assert.equal((await scene.refusal(path, ['video']))[0], 'SCRAPE_MEDIA_ACCESS_DENIED', path);
    }
  });

  test('what is too large is not fetched, whether it says so, never ends, or comes in pieces', async () => {
    for (const path of ['/huge.mp4', '/endless.mp4']) {
      assert.equal((await scene.refusal(path, ['video']))[0], 'SCRAPE_MEDIA_TOO_LARGE', path);
    }
    for (const path of ['/ts/index.m3u8', '/dash/timeline.mpd']) {
      assert.equal((await scene.refusal(path, ['video'], { maxBytes: 25_000 }))[0], 'SCRAPE_MEDIA_TOO_LARGE', path);
    }
  });

  test('a redirect is followed, but not into a private network; nor is a playlist, nor a key', async () => {
    assert.deepEqual((await scene.gather('/moved.mp4', ['video'])).video?.streams, FILM);
    for (const path of ['/inside.mp4', '/thief.m3u8', '/key-inside.m3u8']) {
      assert.equal((await scene.refusal(path, ['video']))[0], 'UNSUPPORTED_SITE', path);
    }
  });

  test('when time is over, the work ends with the reason for it', async () => {
    const reason = new ServiceError('SCRAPE_TIMEOUT');
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 200);
    assert.equal(
      (await scene.refusal('/endless.mp4', ['video'], { maxBytes: 10 ** 12, signal: stop.signal }))[0],
      'SCRAPE_TIMEOUT',
    );
  });

  test("the caller's own headers go to the page's origin alone", async () => {
    asked.length = 0;
    await scene.gather('/away.m3u8', ['audio'], { headers: { 'X-Own': 'mine', Range: 'bytes=5-9' } });
    assert.deepEqual(asked, [
      { path: '/away.m3u8', own: 'mine', referer: scene.url('/page') },
      { path: '/film.ts', own: undefined, referer: scene.url('/') },
    ]);
  });

  test('nothing stays behind', () => {
    assert.deepEqual(scene.leftovers(), []);
  });
});

const twice = (text: string): string[] => [text, '#EXT-X-DISCONTINUITY', text];

const redirectTo =
  (location: string): Handler =>
  (exchange) =>
    send(exchange, '', { status: 302, headers: { location } });

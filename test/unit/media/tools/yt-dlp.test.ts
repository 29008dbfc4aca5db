// yt-dlp finds what pages hide, and gets out by the guarded proxy or not at all. The real one reads the small web by its
// generic extractor; a stand-in shows what it is started with.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { NEEDS_FFMPEG, NEEDS_YT_DLP, TOOLS } from '../../../support/media.ts';
import { send } from '../../../support/web/reply.ts';
import { useMedia } from '../scene.ts';

const FILM = ['h264 160x120', 'aac'];

describe('the real yt-dlp', NEEDS_YT_DLP, () => {
  const scene = useMedia(() => ({
    paths: {
      '/watch': (exchange) => send(exchange, '<title>A film</title><video src="/film.mp4"></video>'),
      '/inside': (exchange) => send(exchange, '<title>A trap</title><video src="http://10.1.2.3/film.mp4"></video>'),
      '/away': (exchange) => send(exchange, '', { status: 302, headers: { location: 'http://169.254.169.254/' } }),
    },
  }));
  const ytDlp = { ytDlp: TOOLS.ytDlp };

  test('finds the media of a page that offers no candidates, and we fetch them', async () => {
    const pagePath = '/watch';
    const { video, audio, videos } = await scene.gather([], ['video', 'audio'], { tools: ytDlp, pagePath });
    assert.deepEqual([video?.streams, audio?.streams], [FILM, ['mp3']]);
    const [fact] = videos as { source: string; provider: string; url: string }[];
    assert.deepEqual([fact!.source, fact!.url], ['yt-dlp', scene.url(pagePath)]);
    // What its generic extractor calls itself depends on the version.
    assert.match(fact!.provider, /^\w+$/);
  });

  test('is not asked when the page itself gives a film', async () => {
    const before = scene.web.requests('media.test', '/watch');
    await scene.gather('/film.mp4', ['video'], { tools: ytDlp, pagePath: '/watch' });
    assert.equal(scene.web.requests('media.test', '/watch'), before);
  });

  test('gets to no private address, by a redirect or by what a page names', async () => {
    for (const pagePath of ['/away', '/inside']) {
      const [code] = await scene.refusal([], ['video'], { tools: ytDlp, pagePath });
      assert.equal(code, 'UNSUPPORTED_SITE', pagePath);
    }
    assert.deepEqual(scene.leftovers(), []);
  });
});

describe('a stand-in for yt-dlp', NEEDS_FFMPEG, () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'trawl-yt-dlp-'));
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  const scene = useMedia();

  /** A script that writes down how it was started, and answers. */
  const standIn = (answer: string) => {
    const script = join(folder, 'yt-dlp');
    const heard = join(folder, 'heard');
    writeFileSync(script, `#!/bin/sh\n{ /usr/bin/env; printf 'ARG %s\\n' "$@"; } > ${heard}\n${answer}\n`);
    chmodSync(script, 0o700);
    return { script, heard: () => readFileSync(heard, 'utf8').split('\n') };
  };
  const telling = (info: object) => standIn(`cat <<'END'\n${JSON.stringify(info)}\nEND`.replace('cat', '/bin/cat'));

  test('is told to go by the proxy, and finds nothing of this machine', async () => {
    const { script, heard } = telling({ url: scene.url('/film.mp4'), protocol: 'http' });
    await scene.gather([], ['video'], { tools: { ytDlp: script } });
    const lines = heard();
    const args = lines.filter((line) => line.startsWith('ARG ')).map((line) => line.slice(4));
    const proxy = args[args.indexOf('--proxy') + 1]!;
    assert.match(proxy, /^http:\/\/[\w-]+:[\w-]+@127\.0\.0\.1:\d+\/$/);
    assert.deepEqual(args.slice(-2), ['--', scene.url('/page')]);
    for (const wanted of ['--ignore-config', '--no-cache-dir', '--no-exec', '--dump-single-json'])
      assert.ok(args.includes(wanted));
    const names = lines.filter((line) => !line.startsWith('ARG ')).map((line) => line.split('=')[0]);
    for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_', ''])
      if (names.includes(name)) names.splice(names.indexOf(name), 1);
    assert.deepEqual(names.sort(), [
      'HOME',
      'LANG',
      'PATH',
      'PYTHONDONTWRITEBYTECODE',
      'PYTHONNOUSERSITE',
      'TMPDIR',
      'XDG_CONFIG_HOME',
      'YTDLP_NO_PLUGINS',
    ]);
    // The pass ends with the run.
    const { username, password, origin } = new URL(proxy);
    const shown = { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
    const [response] = await once(get(origin, { path: scene.url('/page'), headers: shown }), 'response');
    assert.equal((response as IncomingMessage).resume().statusCode, 407);
  });

  test('may name pictures and sound apart, segments, or pieces that are to be asked for one by one', async () => {
    const [picture, sound] = ['/silent.mp4', '/tone.flac'].map((path) => ({ url: scene.url(path), protocol: 'http' }));
    const apart = {
      requested_formats: [
        { ...picture, acodec: 'none' },
        { ...sound, vcodec: 'none' },
      ],
    };
    const segments = ['ts/index0.ts', 'ts/index1.ts'].map((path) => ({ path }));
    const inSegments = {
      url: scene.url('/'),
      protocol: 'http_dash_segments',
      fragments: segments,
      fragment_base_url: scene.url('/'),
    };
    const pieces = { url: scene.url('/film.mp4'), protocol: 'http', downloader_options: { http_chunk_size: 10_000 } };
    for (const [info, streams] of [
      [apart, ['h264 160x120', 'flac']],
      [inSegments, FILM],
      [{ entries: [null, pieces] }, FILM],
    ] as const) {
      const { video } = await scene.gather([], ['video'], { tools: { ytDlp: telling(info).script } });
      assert.deepEqual(video?.streams, streams);
    }
  });

  test('that names a file of this machine or a private address is refused', async () => {
    for (const url of ['file:///etc/passwd', 'http://127.0.0.1:22/', 'http://10.0.0.1/film.mp4']) {
      const { script } = telling({ url, protocol: 'https' });
      assert.equal((await scene.refusal([], ['video'], { tools: { ytDlp: script } }))[0], 'UNSUPPORTED_SITE', url);
    }
  });

  test('that fails is believed: what asks for a login is denied, and anything else is no media', async () => {
    for (const [said, code] of [
      ['ERROR: [site] 1: This video is private. Sign in if you may see it', 'SCRAPE_MEDIA_ACCESS_DENIED'],
      ['ERROR: [site] 1: This video is DRM protected', 'SCRAPE_MEDIA_ACCESS_DENIED'],
      ['ERROR: Unsupported URL: http://x/', 'SCRAPE_VIDEO_UNSUPPORTED_URL'],
      ['Traceback', 'SCRAPE_VIDEO_UNSUPPORTED_URL'],
    ]) {
      const { script } = standIn(`echo '${said}' >&2; exit 1`);
      assert.equal((await scene.refusal([], ['video'], { tools: { ytDlp: script } }))[0], code, said);
    }
    const { script } = standIn('echo nonsense');
    assert.equal((await scene.refusal([], ['video'], { tools: { ytDlp: script } }))[0], 'SCRAPE_VIDEO_UNSUPPORTED_URL');
  });
});

// yt-dlp finds media that pages hide, and reaches the network only through the guarded proxy. The real program runs its
// generic extractor; a fake one records how it is started.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { fullTest, test } from '../../../support/full-run.ts';
import { NEEDS_FFMPEG, NEEDS_YT_DLP, TOOLS } from '../../../support/media.ts';
import { send } from '../../../support/web/reply.ts';
import { useMedia } from '../media-harness.ts';

const FILM = ['h264 160x120', 'aac'];

describe('the real yt-dlp', NEEDS_YT_DLP, () => {
  const harness = useMedia(() => ({
    paths: {
      '/watch': (exchange) => send(exchange, '<title>A film</title><video src="/film.mp4"></video>'),
      '/inside': (exchange) => send(exchange, '<title>A trap</title><video src="http://10.1.2.3/film.mp4"></video>'),
      '/away': (exchange) => send(exchange, '', { status: 302, headers: { location: 'http://169.254.169.254/' } }),
    },
  }));
  const ytDlp = { ytDlp: TOOLS.ytDlp };

  test('finds the media of a page without candidates', async () => {
    const pagePath = '/watch';
    const { video, audio, videos } = await harness.gather([], ['video', 'audio'], { tools: ytDlp, pagePath });
    assert.deepEqual([video?.streams, audio?.streams], [FILM, ['mp3']]);
    const [fact] = videos as { source: string; provider: string; url: string }[];
    assert.deepEqual([fact!.source, fact!.url], ['yt-dlp', harness.url(pagePath)]);
    // The name of the generic extractor depends on the version.
    assert.match(fact!.provider, /^\w+$/);
  });

  test('is not started when the page itself offers a video', async () => {
    const before = harness.web.requests('media.test', '/watch');
    await harness.gather('/film.mp4', ['video'], { tools: ytDlp, pagePath: '/watch' });
    assert.equal(harness.web.requests('media.test', '/watch'), before);
  });

  test('reaches no private address, by a redirect or by a link on the page', async () => {
    for (const pagePath of ['/away', '/inside']) {
      const [code] = await harness.refusal([], ['video'], { tools: ytDlp, pagePath });
      assert.equal(code, 'UNSUPPORTED_SITE', pagePath);
    }
    assert.deepEqual(harness.leftovers(), []);
  });
});

describe('a fake yt-dlp', NEEDS_FFMPEG, () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'trawl-yt-dlp-'));
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  const harness = useMedia();

  /** A script that records how it was started, and answers. */
  const fakeProgram = (answer: string) => {
    const script = join(folder, 'yt-dlp');
    const recordedStart = join(folder, 'heard');
    writeFileSync(script, `#!/bin/sh\n{ /usr/bin/env; printf 'ARG %s\\n' "$@"; } > ${recordedStart}\n${answer}\n`);
    chmodSync(script, 0o700);
    return { script, recordedStart: () => readFileSync(recordedStart, 'utf8').split('\n') };
  };
  const answering = (info: object) =>
    fakeProgram(`cat <<'END'\n${JSON.stringify(info)}\nEND`.replace('cat', '/bin/cat'));

  test('is started with the proxy and without the environment of the server', async () => {
    const { script, recordedStart } = answering({ url: harness.url('/film.mp4'), protocol: 'http' });
    await harness.gather([], ['video'], { tools: { ytDlp: script } });
    const lines = recordedStart();
    const args = lines.filter((line) => line.startsWith('ARG ')).map((line) => line.slice(4));
    const proxy = args[args.indexOf('--proxy') + 1]!;
    assert.match(proxy, /^http:\/\/[\w-]+:[\w-]+@127\.0\.0\.1:\d+\/$/);
    assert.deepEqual(args.slice(-2), ['--', harness.url('/page')]);
    for (const wanted of ['--ignore-config', '--no-cache-dir', '--no-exec', '--dump-single-json'])
      assert.ok(args.includes(wanted));
    const names = lines.filter((line) => !line.startsWith('ARG ')).map((line) => line.split('=')[0]);
    // Node itself passes NODE_V8_COVERAGE on to every process, while `npm run coverage` runs.
    for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_', '', 'NODE_V8_COVERAGE'])
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
    // The proxy credentials end with the run.
    const { username, password, origin } = new URL(proxy);
    const shown = { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
    const [response] = await once(get(origin, { path: harness.url('/page'), headers: shown }), 'response');
    assert.equal((response as IncomingMessage).resume().statusCode, 407);
  });

  fullTest('may return separate video and audio, segments, or a file to fetch in chunks', async () => {
    const [picture, sound] = ['/silent.mp4', '/tone.flac'].map((path) => ({
      url: harness.url(path),
      protocol: 'http',
    }));
    const apart = {
      requested_formats: [
        { ...picture, acodec: 'none' },
        { ...sound, vcodec: 'none' },
      ],
    };
    const segments = ['ts/index0.ts', 'ts/index1.ts'].map((path) => ({ path }));
    const inSegments = {
      url: harness.url('/'),
      protocol: 'http_dash_segments',
      fragments: segments,
      fragment_base_url: harness.url('/'),
    };
    const pieces = { url: harness.url('/film.mp4'), protocol: 'http', downloader_options: { http_chunk_size: 10_000 } };
    for (const [info, streams] of [
      [apart, ['h264 160x120', 'flac']],
      [inSegments, FILM],
      [{ entries: [null, pieces] }, FILM],
    ] as const) {
      const { video } = await harness.gather([], ['video'], { tools: { ytDlp: answering(info).script } });
      assert.deepEqual(video?.streams, streams);
    }
  });

  test('is refused when it returns a local file or a private address', async () => {
    for (const url of ['file:///etc/passwd', 'http://127.0.0.1:22/', 'http://10.0.0.1/film.mp4']) {
      const { script } = answering({ url, protocol: 'https' });
      assert.equal((await harness.refusal([], ['video'], { tools: { ytDlp: script } }))[0], 'UNSUPPORTED_SITE', url);
    }
  });

  test('is reported as access denied when a login is needed, and else as unsupported', async () => {
    for (const [said, code] of [
      ['ERROR: [site] 1: This video is private. Sign in if you may see it', 'SCRAPE_MEDIA_ACCESS_DENIED'],
      ['ERROR: [site] 1: This video is DRM protected', 'SCRAPE_MEDIA_ACCESS_DENIED'],
      ['ERROR: Unsupported URL: http://x/', 'SCRAPE_VIDEO_UNSUPPORTED_URL'],
      ['Traceback', 'SCRAPE_VIDEO_UNSUPPORTED_URL'],
    ]) {
      const { script } = fakeProgram(`echo '${said}' >&2; exit 1`);
      assert.equal((await harness.refusal([], ['video'], { tools: { ytDlp: script } }))[0], code, said);
    }
    const { script } = fakeProgram('echo nonsense');
    assert.equal(
      (await harness.refusal([], ['video'], { tools: { ytDlp: script } }))[0],
      'SCRAPE_VIDEO_UNSUPPORTED_URL',
    );
  });
});

// The formats audio and video: signed links for an hour, metadata and prices.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { createIdentify } from '../../../../src/fetch/identity.ts';
import type { Media, MediaRequest } from '../../../../src/media/media.ts';
import { createFileLinks } from '../../../../src/operations/files.ts';
import { createMediaCollector, type MediaCollection, mediaCredits } from '../../../../src/operations/page/media.ts';
import { OWN_WORK } from '../../../../src/runtime/gate/gate.ts';
import { HOUR, noise, START } from '../../../conformance/samples.ts';
import { callerHeaders } from '../../../support/caller-headers.ts';
import { openTemporaryStore } from '../../store/temporary-folder.ts';

const collection = (more: Partial<MediaCollection['request']> = {}): MediaCollection => ({
  asker: OWN_WORK,
  formats: ['video', 'audio'],
  page: { finalUrl: 'http://site.test/watch', candidates: [] },
  request: {
    proxyClass: 'basic',
    location: { country: 'DE', languages: ['de'] },
    mobile: false,
    verifyTls: true,
    headers: callerHeaders('http://site.test', { cookie: 'a=b' }),
    isTraceless: false,
    ...more,
  },
  baseUrl: 'https://trawl.test',
});

async function createScene(t: TestContext) {
  const { store, dataDir } = await openTemporaryStore(t);
  const asked: MediaRequest[] = [];
  const media: Media = {
    unavailable: () => undefined,
    gather(request, use) {
      asked.push(request);
      const file = (name: string, type: string) => {
        writeFileSync(join(dataDir, name), noise(100_000));
        return { path: join(dataDir, name), name, type };
      };
      const videos = [
        { url: 'http://site.test/f.mp4', sourceURL: 'http://site.test/watch', source: 'element' as const },
      ];
      return use({
        audio: file('audio.mp3', 'audio/mpeg'),
        video: file('video.mp4', 'video/mp4'),
        videos,
        missing: {},
      });
    },
  };
  const fileLinks = createFileLinks({ files: store.files, secret: randomBytes(32), clock: { now: () => START } });
  return { asked, fileLinks, collector: createMediaCollector({ media, fileLinks, identify: createIdentify() }) };
}

test('files get signed links for an hour, together with the metadata of the videos', async (t) => {
  const { collector, fileLinks, asked } = await createScene(t);
  const { content, missing } = await collector.collect(collection(), AbortSignal.timeout(60_000));
  const { audio, video, videos } = content;
  assert.deepEqual(missing, []);
  for (const [link, name, type] of [
    [audio, 'audio.mp3', 'audio/mpeg'],
    [video, 'video.mp4', 'video/mp4'],
  ] as const) {
    const { pathname, searchParams } = new URL(link!);
    const [, , id, given] = pathname.split('/');
    assert.deepEqual([given, searchParams.get('expires')], [name, String(START + HOUR)]);
    const file = await fileLinks.open(id!, name, Object.fromEntries(searchParams));
    assert.deepEqual([file.type, file.size], [type, 100_000]);
  }
  assert.equal(videos?.length, 1);
  const { access: way } = asked[0]!;
  assert.deepEqual([way.pageUrl, way.country], ['http://site.test/watch', 'DE']);
  assert.deepEqual(way.callerHeaders.at(new URL(way.pageUrl)), { cookie: 'a=b' });
  assert.match(way.headers['user-agent']!, /Mozilla/);
  assert.equal(way.headers['sec-fetch-mode'], undefined);
});

test('with zero data retention nothing is fetched', async (t) => {
  const { collector, asked } = await createScene(t);
  const { content, missing } = await collector.collect(collection({ isTraceless: true }), AbortSignal.timeout(60_000));
  assert.deepEqual(content, {});
  assert.deepEqual(
    missing.map(({ type, reason }) => [type, reason.code, /zero data retention/.test(reason.message)]),
    [
      ['video', 'BAD_REQUEST', true],
      ['audio', 'BAD_REQUEST', true],
    ],
  );
  assert.deepEqual(asked, []);
});

test('audio and video cost four credits each, unless they are missing', () => {
  const both = [{ type: 'video' }, { type: 'audio' }, { type: 'links' }] as const;
  assert.equal(mediaCredits([{ type: 'markdown' }], []), 0);
  assert.equal(mediaCredits([{ type: 'audio' }], []), 4);
  assert.equal(mediaCredits(both, []), 8);
  assert.equal(mediaCredits(both, [{ type: 'video', reason: new ServiceError('SCRAPE_VIDEO_UNSUPPORTED_URL') }]), 4);
});

// Parsing HLS playlists and DASH manifests, valid and hostile ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { parseXml } from '../../../src/markup/xml/parse-xml.ts';
import { dashTracks } from '../../../src/media/dash/dash.ts';
import { chooseStreams } from '../../../src/media/hls/hls.ts';
import { readHls } from '../../../src/media/hls/hls-playlist.ts';

const BASE = 'http://site.test/films/index';

const partsOf = (lines: string) => {
  const playlist = readHls(`#EXTM3U\n${lines}`, BASE);
  assert.ok(playlist.kind === 'media');
  return playlist.track.parts;
};

const codeOf = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.code;
  }
  return 'read';
};

test('HLS segments have their byte ranges, keys and init segments', () => {
  const parts = partsOf(`#EXT-X-MEDIA-SEQUENCE:258
#EXT-X-MAP:URI="head.mp4",BYTERANGE="100@0"
#EXT-X-KEY:METHOD=AES-128,URI="../key?a=1,2"
#EXT-X-BYTERANGE:200@100
a.m4s
#EXT-X-BYTERANGE:50
a.m4s
#EXT-X-KEY:METHOD=AES-128,URI="../key?a=1,2",IV=0x0F
#EXT-X-GAP
lost.m4s
#EXT-X-DISCONTINUITY
b.m4s
#EXT-X-KEY:METHOD=NONE
c.m4s`);
  const head = { url: 'http://site.test/films/head.mp4', slice: { start: 0, length: 100 }, key: undefined };
  const key = (last: string) => ({ url: 'http://site.test/key?a=1,2', iv: Buffer.from(last.padStart(32, '0'), 'hex') });
  const at = (name: string) => `http://site.test/films/${name}.m4s`;
  assert.deepEqual(parts, [
    [
      head,
      { url: at('a'), slice: { start: 100, length: 200 }, key: key('0102') },
      { url: at('a'), slice: { start: 300, length: 50 }, key: key('0103') },
    ],
    [head, { url: at('b'), slice: undefined, key: key('0f') }, { url: at('c'), slice: undefined, key: undefined }],
  ]);
});

test('the best HLS stream has the most pixels, and for audio the lowest bandwidth that is good enough', () => {
  const master = readHls(
    `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=320x180
low
#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360
middle
#EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1920x1080
best
#EXT-X-STREAM-INF:BANDWIDTH=6000000,RESOLUTION=1280x720
heavy`,
    BASE,
  );
  assert.ok(master.kind === 'master');
  assert.deepEqual(chooseStreams(master, 'video'), ['http://site.test/films/best']);
  assert.deepEqual(chooseStreams(master, 'audio'), ['http://site.test/films/middle']);
});

test('invalid HLS playlists are refused', () => {
  assert.equal(
    codeOf(() => partsOf('#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"\na.ts')),
    'SCRAPE_MEDIA_ACCESS_DENIED',
  );
  assert.equal(
    codeOf(() => partsOf('#EXT-X-BYTERANGE:-5@0\na.ts')),
    'SCRAPE_VIDEO_UNSUPPORTED_URL',
  );
  assert.equal(
    codeOf(() => partsOf('#EXT-X-BYTERANGE:x@y\na.ts')),
    'SCRAPE_VIDEO_UNSUPPORTED_URL',
  );
  assert.equal(
    codeOf(() => partsOf('a.ts\n'.repeat(20_001))),
    'SCRAPE_MEDIA_TOO_LARGE',
  );
  assert.equal(
    codeOf(() => readHls('no playlist', BASE)),
    'SCRAPE_VIDEO_UNSUPPORTED_URL',
  );
  for (const address of ['file:///etc/passwd', 'concat:a|b', 'http://user@site.test/', 'http://a\\@b/']) {
    assert.equal(
      codeOf(() => partsOf(address)),
      'UNSUPPORTED_SITE',
      address,
    );
  }
});

const manifest = (inside: string, more = 'mediaPresentationDuration="PT10S"') =>
  parseXml(`<MPD ${more}><Period>${inside}</Period></MPD>`);

const urlsOf = (inside: string, more?: string, now = 0) =>
  dashTracks(manifest(inside, more), BASE, 'video', now)[0]!
    .parts.flat()
    .map(({ url, slice }) => (slice ? `${url} ${slice.start}+${slice.length}` : url));

const video = (inside: string) =>
  `<AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="9">${inside}</Representation></AdaptationSet>`;

test('DASH segments are listed from templates, timelines and lists', () => {
  const template = (attributes: string, inside = '') =>
    video(
      `<SegmentTemplate media="$RepresentationID$/$Number%03d$-$Time$$$.m4s" initialization="i-$Bandwidth$" ${attributes}>${inside}</SegmentTemplate>`,
    );
  assert.deepEqual(urlsOf(template('duration="40" timescale="10" startNumber="5"')), [
    'http://site.test/films/i-9',
    'http://site.test/films/v/005-0$.m4s',
    'http://site.test/films/v/006-40$.m4s',
    'http://site.test/films/v/007-80$.m4s',
  ]);
  const timeline = '<SegmentTimeline><S t="7" d="3" r="1"/><S d="4"/><S t="20" d="5" r="-1"/></SegmentTimeline>';
  assert.deepEqual(
    urlsOf(template('timescale="3"', timeline)).map((url) => /-(\d+)\$/.exec(url)?.[1]),
    [undefined, '7', '10', '13', '20', '25'],
  );
  const list =
    '<SegmentList><Initialization range="0-99"/><SegmentURL mediaRange="100-149"/><SegmentURL media="b"/></SegmentList>';
  assert.deepEqual(urlsOf(video(`<BaseURL>film.mp4</BaseURL>${list}`)), [
    'http://site.test/films/film.mp4 0+100',
    'http://site.test/films/film.mp4 100+50',
    'http://site.test/films/b',
  ]);
  assert.deepEqual(urlsOf(video('<BaseURL>film.mp4</BaseURL><SegmentBase indexRange="0-99"/>')), [
    'http://site.test/films/film.mp4',
  ]);
});

test('a live manifest without a list gives only the latest segments', () => {
  const template = video('<SegmentTemplate media="$Number$" duration="2"/>');
  const live = 'type="dynamic" availabilityStartTime="1970-01-01T00:00:00Z"';
  const found = urlsOf(template, live, 1_000_000);
  assert.deepEqual(
    [found.length, found[0], found.at(-1)],
    [30, 'http://site.test/films/471', 'http://site.test/films/500'],
  );
});

test('invalid DASH manifests are refused', () => {
  const template = (inside: string) => video(`<SegmentTemplate media="$Number$">${inside}</SegmentTemplate>`);
  const endless = template('<SegmentTimeline><S d="1" r="1000000000"/></SegmentTimeline>');
  assert.equal(
    codeOf(() => urlsOf(endless)),
    'SCRAPE_MEDIA_TOO_LARGE',
  );
  assert.equal(
    codeOf(() => urlsOf(template('<SegmentTimeline><S d="0"/></SegmentTimeline>'))),
    'SCRAPE_VIDEO_UNSUPPORTED_URL',
  );
  assert.equal(
    codeOf(() => urlsOf(template(''))),
    'SCRAPE_VIDEO_UNSUPPORTED_URL',
  );
  assert.equal(
    codeOf(() => urlsOf(video('<ContentProtection/><BaseURL>a</BaseURL>'))),
    'SCRAPE_MEDIA_ACCESS_DENIED',
  );
  assert.equal(
    codeOf(() => urlsOf(video('<BaseURL>file:///etc/passwd</BaseURL>'))),
    'UNSUPPORTED_SITE',
  );
  assert.equal(
    codeOf(() => urlsOf('')),
    'SCRAPE_VIDEO_UNSUPPORTED_URL',
  );
});

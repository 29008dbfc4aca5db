// Any playlist, manifest or byte range is read, or refused with a ServiceError.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { containerOf } from '../../src/markup/media-container.ts';
import { parseXml } from '../../src/markup/xml/parse-xml.ts';
import { dashTracks } from '../../src/media/dash/dash.ts';
import { readHls } from '../../src/media/hls/hls-playlist.ts';
import { readRange } from '../../src/operations/file-answer.ts';
import { amount, seedOr } from '../support/runs.ts';

const BASE = 'http://site.test/films/';
const RUNS = { numRuns: amount({ short: 150, full: 500, long: 10_000 }), seed: seedOr(7) };

const readOrRefused = (read: () => void) => {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
  }
};

test('an HLS playlist of any lines is read or refused', () => {
  const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom('', 'x', '-', '1e309')).map(String);
  const line = fc.oneof(
    fc.string(),
    fc.webUrl(),
    number.map((value) => `#EXT-X-BYTERANGE:${value}@${value}`),
    number.map((value) => `#EXT-X-MEDIA-SEQUENCE:${value}`),
    fc.string().map((value) => `#EXT-X-KEY:METHOD=AES-128,URI="${value}",IV=${value}`),
    fc.string().map((value) => `#EXT-X-MAP:URI="${value}",BYTERANGE="${value}"`),
    fc.string().map((value) => `#EXT-X-STREAM-INF:${value}`),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      readOrRefused(() => {
        const playlist = readHls(`#EXTM3U\n${lines.join('\n')}`, BASE);
        const urls = playlist.kind === 'media' ? playlist.track.parts.flat() : playlist.variants;
        for (const { url } of urls) assert.match(url, /^https?:\/\//);
      });
    }),
    RUNS,
  );
});

test('a DASH manifest with any numbers gives a bounded list of parts or is refused', () => {
  const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom('', 'x', '-1', '1e18')).map(String);
  fc.assert(
    fc.property(number, number, number, number, fc.boolean(), (a, b, c, d, isLive) => {
      const timeline = `<SegmentTimeline><S t="${a}" d="${b}" r="${c}"/><S d="${d}" r="${a}"/></SegmentTimeline>`;
      const template = (inside: string) =>
        `<MPD type="${isLive ? 'dynamic' : 'static'}" mediaPresentationDuration="PT${Math.abs(Number(d)) || 5}S"><Period><AdaptationSet contentType="video"><SegmentTemplate media="$Number%0${a}d$-$Time$" timescale="${c}" duration="${b}" startNumber="${d}">${inside}</SegmentTemplate><Representation/></AdaptationSet></Period></MPD>`;
      for (const inside of ['', timeline]) {
        readOrRefused(() => {
          const [track] = dashTracks(parseXml(template(inside)), BASE, 'video', 1_000_000);
          assert.ok(track!.parts.flat().length <= 20_000);
        });
      }
    }),
    RUNS,
  );
});

test('looking for a media container throws on no bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      containerOf(bytes);
    }),
    RUNS,
  );
});

test('a byte range that is accepted lies within the file', () => {
  const end = fc.oneof(fc.nat(), fc.constant(''), fc.constant('99999999999999'));
  fc.assert(
    fc.property(end, end, fc.nat(10_000), (from, to, size) => {
      const range = readRange(`bytes=${from}-${to}`, size);
      if (range === undefined || range === 'outside') return;
      assert.ok(range.start >= 0 && range.start <= range.end && range.end < size, JSON.stringify(range));
    }),
    RUNS,
  );
});

// The further kinds of files and playlists.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEEDS_FFMPEG } from '../../support/media.ts';
import { send } from '../../support/web/reply.ts';
import { checkPlaylist, FILM, useMedia } from './media-harness.ts';

describe('media', NEEDS_FFMPEG, () => {
  const harness = useMedia(() => ({
    paths: {
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
    },
  }));

  test('WebM stays WebM, FLAC becomes MP3, and MP3 is kept', async () => {
    const { video, audio } = await harness.gather('/film.webm', ['video', 'audio']);
    assert.deepEqual([video?.name, video?.streams], ['video.webm', ['vp8 160x120', 'vorbis']]);
    assert.deepEqual(audio?.streams, ['mp3']);
    assert.deepEqual((await harness.gather('/tone.flac', ['audio'])).audio?.streams, ['mp3']);
    assert.deepEqual((await harness.gather('/tone.mp3', ['audio'])).audio?.streams, ['mp3']);
  });

  for (const [what, path] of [
    ['HLS in fragments of MP4', '/fragments/index.m3u8'],
    ['HLS in byte ranges of one file', '/ranges/index.m3u8'],
    ['HLS with separate audio', '/apart.m3u8'],
    ['DASH with a list of byte ranges', '/list/list.mpd'],
  ] as const) {
    test(`${what} becomes one MP4 of the best quality, and its sound an MP3`, () => checkPlaylist(harness, path));
  }

  test('a discontinuity in streams or fragments does not interrupt the video', async () => {
    for (const path of ['/breaks.m3u8', '/anew.m3u8']) {
      const { video } = await harness.gather(path, ['video']);
      assert.deepEqual(video?.streams, FILM);
      assert.ok(Math.abs(video!.duration - 4) < 0.4, `${path}: ${video!.duration}`);
    }
  });
});

const twice = (text: string): string[] => [text, '#EXT-X-DISCONTINUITY', text];

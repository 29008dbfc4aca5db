// The further kinds of playlists.
import { describe, test } from 'node:test';
import { NEEDS_FFMPEG } from '../../support/media.ts';
import { checkPlaylist, useMedia } from './media-harness.ts';

describe('media', NEEDS_FFMPEG, () => {
  const harness = useMedia();
  for (const [what, path] of [
    ['HLS in fragments of MP4', '/fragments/index.m3u8'],
    ['HLS in byte ranges of one file', '/ranges/index.m3u8'],
    ['HLS with separate audio', '/apart.m3u8'],
    ['DASH with a list of byte ranges', '/list/list.mpd'],
  ] as const) {
    test(`${what} becomes one MP4 of the best quality, and its sound an MP3`, () => checkPlaylist(harness, path));
  }
});

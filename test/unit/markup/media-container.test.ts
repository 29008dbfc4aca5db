// Media is recognised by its bytes, whatever it is called.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { containerOf, isMedia } from '../../../src/markup/media-container.ts';
import { makeMedia, NEEDS_FFMPEG } from '../../support/media.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('containers', NEEDS_FFMPEG, () => {
  test('containers that ffmpeg writes are recognised by their first bytes', (t) => {
    const media = makeMedia();
    t.after(media.remove);
    const found = ['film.mp4', 'film.webm', 'tone.mp3', 'tone.flac', 'ts/index0.ts', 'fragments/index0.m4s'].map(
      (name) => containerOf(media.bytes(name).subarray(0, 4096)),
    );
    assert.deepEqual(found, ['mov', 'webm', 'mp3', 'flac', 'mpegts', 'mov']);
    assert.deepEqual(
      [containerOf(media.bytes('ts/index.m3u8')), containerOf(media.bytes('dash/timeline.mpd'))],
      ['hls', 'dash'],
    );
  });
});

test('other containers are recognised by their first bytes', () => {
  const beginnings: [string, string | undefined][] = [
    ['\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska', 'matroska'],
    ['OggS\0', 'ogg'],
    ['RIFF\0\0\0\0WAVEfmt ', 'wav'],
    ['RIFF\0\0\0\0AVI LIST', 'avi'],
    ['RIFF\0\0\0\0WEBPVP8 ', undefined],
    ['FLV\x01\x05', 'flv'],
    ['\xff\xf1\x50\x80', 'aac'],
    ['\xff\xfb\x90\x64', 'mp3'],
    ['ID3\x04\0\0\0\0\0\0\xff\xf1\x50\x80', 'aac'],
    ['\0\0\0\x1cftypavif\0\0\0\0', undefined],
    ['\xef\xbb\xbf#EXTM3U\n', 'hls'],
    ['<?xml version="1.0"?>\n<!-- x -->\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011">', 'dash'],
  ];
  for (const [beginning, kind] of beginnings)
    assert.equal(containerOf(bytes(beginning)), kind, JSON.stringify(beginning));
});

test('scripts that ffmpeg would follow are not media: file lists, session descriptions, other playlists', () => {
  for (const script of [
    "ffconcat version 1.0\nfile '/etc/passwd'\n",
    'v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video 5000 RTP/AVP 96\n',
    '[playlist]\nFile1=file:///etc/passwd\n',
    '<smil><video src="file:///etc/passwd"/></smil>',
    '',
    '\xff',
    'RIFF',
  ]) {
    assert.equal(containerOf(bytes(script)), undefined, JSON.stringify(script));
  }
});

test('a page is media by its bytes, or by type and name if the bytes are inconclusive', () => {
  const unknown = bytes('\x01\x02\x03\x04');
  assert.equal(isMedia('text/html', bytes('#EXTM3U\n'), 'http://x.test/'), true);
  assert.equal(isMedia('video/mp4', unknown, 'http://x.test/'), true);
  assert.equal(isMedia('application/octet-stream', unknown, 'http://x.test/film.MP4?a=b'), true);
  assert.equal(isMedia('application/octet-stream', unknown, 'http://x.test/file.bin'), false);
  assert.equal(isMedia('text/html; charset=utf-8', bytes('<!doctype html>'), 'http://x.test/film.mp4'), false);
  assert.equal(isMedia('video/mp4', bytes('<html>gone'), 'http://x.test/film.mp4'), false);
  assert.equal(isMedia('image/svg+xml', bytes('<svg>'), 'http://x.test/a.svg'), false);
});

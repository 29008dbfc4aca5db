// Media of a page as files behind links: what is returned, refused and billed.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import { NEEDS_FFMPEG } from '../support/media.ts';
import { FILM, fetched, HOST, scrape, useMedia, web } from '../support/wire/media.ts';

useMedia();

describe('media', NEEDS_FFMPEG, () => {
  test('a page with a player returns its video and audio behind links, beside its text', async () => {
    const { body } = await scrape('/watch', ['markdown', 'video', 'audio']);
    const { markdown, video, audio, videos, metadata } = body.data;
    assert.match(markdown!, /There is a film/);
    const film = await fetched(video!);
    assert.deepEqual([film.type, film.streams], ['video/mp4', FILM]);
    const sound = await fetched(audio!);
    assert.deepEqual([sound.type, sound.streams], ['audio/mpeg', ['mp3']]);
    const left = Number(new URL(video!).searchParams.get('expires')) - Date.now();
    assert.ok(left > 3_500_000 && left <= 3_600_000, String(left));
    const [fact] = videos!;
    assert.deepEqual(
      [fact!.url, fact!.sourceURL, fact!.kind, fact!.width],
      [web.url(HOST, '/master.m3u8'), web.url(HOST, '/watch'), 'hls', 160],
    );
    assert.equal(metadata.creditsUsed, 1 + 4 + 4);
    const again = await scrape('/watch', ['video']);
    assert.notEqual(again.body.data.metadata.cacheState, 'hit');
    assert.notEqual(again.body.data.video, video);
  });

  fullTest('media that cannot be fetched is refused with its code and a reason', async () => {
    const refusals = [
      ['/words', 'video', 500, 'SCRAPE_VIDEO_UNSUPPORTED_URL'],
      ['/words', 'audio', 500, 'SCRAPE_AUDIO_UNSUPPORTED_URL'],
      ['/podcast', 'video', 500, 'SCRAPE_VIDEO_UNSUPPORTED_URL'],
      ['/members', 'video', 403, 'SCRAPE_MEDIA_ACCESS_DENIED'],
      ['/endless', 'video', 500, 'SCRAPE_MEDIA_TOO_LARGE'],
    ] as const;
    for (const [path, format, status, code] of refusals) {
      const answer = await scrape(path, [format]);
      assert.deepEqual([answer.status, answer.body.code], [status, code], `${path} ${format}: ${answer.body.error}`);
    }
    const traceless = await scrape('/watch', ['video'], { zeroDataRetention: true });
    assert.deepEqual([traceless.status, traceless.body.code], [400, 'BAD_REQUEST']);
    assert.match(traceless.body.error!, /zero data retention/);
  });

  test('a format that the page does not have takes no other away, and costs nothing', async () => {
    const given = async (path: string, formats: string[], more: object = {}) => {
      const { body } = await scrape(path, formats, more);
      assert.equal(body.success, true, body.error);
      const { data } = body;
      return { ...data, has: formats.map((format) => typeof data[format as 'audio']), cost: data.metadata.creditsUsed };
    };
    const words = await given('/words', ['markdown', 'audio']);
    assert.deepEqual([words.audio, words.cost], [null, 1]);
    assert.match(words.markdown!, /There is a film/);
    assert.match(words.warning!, /^`audio` is missing\. No audio or video could be fetched/);
    const podcast = await given('/podcast', ['video', 'audio']);
    assert.deepEqual([podcast.video, podcast.has[1], podcast.cost], [null, 'string', 5]);
    assert.match(podcast.warning!, /^`video` is missing\./);
    const film = await given('/film.mp4', ['markdown', 'links', 'video']);
    assert.deepEqual([film.markdown, 'links' in film, film.has[2], film.cost], [null, false, 'string', 5]);
    assert.match(film.warning!, /^`markdown`, `links` are missing\. The URL leads to an audio or video file/);
    const traceless = await given('/watch', ['markdown', 'video'], { zeroDataRetention: true });
    assert.match(traceless.warning!, /^`video` is missing\. .*zero data retention/);
  });
});

// The audio and video that a page offers, most promising first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageUrls } from '../../../../src/markup/html/page-urls.ts';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import { mediaCandidates } from '../../../../src/transform/formats/media-candidates.ts';
import { pageMetadata } from '../../../../src/transform/formats/page-metadata.ts';

function candidates(html: string) {
  const tree = parseHtml(html);
  const urls = createPageUrls(tree, 'http://site.test/page/');
  return mediaCandidates(tree, urls, pageMetadata(tree, urls));
}

const urlsOf = (html: string) => candidates(html).map(({ url }) => url.replace('http://site.test/', '/'));

test('players are found with their sources, sizes and posters', () => {
  const html = `<video src="a.mp4" poster="/a.jpg" width="640" height="360" title="A"></video>
    <video><source src="b.m3u8" type="application/x-mpegURL"><source src="b.mp4"></video>
    <audio data-src="c.mp3"></audio><video src="blob:http://site.test/1"></video><video src=""></video>`;
  assert.deepEqual(candidates(html), [
    {
      source: 'element',
      kind: 'video',
      title: 'A',
      thumbnail: 'http://site.test/a.jpg',
      width: 640,
      height: 360,
      url: 'http://site.test/page/a.mp4',
    },
    { source: 'element', kind: 'video', url: 'http://site.test/page/b.m3u8', mimeType: 'application/x-mpegURL' },
    { source: 'element', kind: 'video', url: 'http://site.test/page/b.mp4' },
    { source: 'element', kind: 'audio', url: 'http://site.test/page/c.mp3' },
  ]);
});

test('JSON-LD videos and recordings are found at any depth and in any list', () => {
  const data = {
    '@graph': [
      {
        '@type': 'WebPage',
        video: [
          {
            '@type': ['Thing', 'VideoObject'],
            name: 'Film',
            contentUrl: '/f.mp4',
            duration: 'PT1H2M3S',
            thumbnailUrl: ['/t.jpg'],
            width: '1280px',
          },
        ],
      },
      { '@type': 'AudioObject', contentUrl: 'https://cdn.test/a.mp3', encodingFormat: 'audio/mpeg' },
      { '@type': 'VideoObject', embedUrl: 'https://player.test/1' },
      { '@type': 'VideoObject', contentUrl: 'javascript:alert(1)' },
    ],
  };
  assert.deepEqual(candidates(`<script type="application/ld+json">${JSON.stringify(data)}</script>`), [
    {
      url: 'http://site.test/f.mp4',
      source: 'json-ld',
      kind: 'video',
      title: 'Film',
      duration: 3723,
      width: 1280,
      thumbnail: 'http://site.test/t.jpg',
    },
    { url: 'https://cdn.test/a.mp3', source: 'json-ld', kind: 'audio', mimeType: 'audio/mpeg' },
  ]);
  assert.deepEqual(candidates('<script type="application/ld+json">{"contentUrl": broken</script>'), []);
});

test('Open Graph, Twitter, enclosures and links follow players, background videos come last, and each URL is listed once', () => {
  const html = `<meta property="og:video" content="/og.mp4"><meta property="og:video:secure_url" content="/og.mp4">
    <meta property="og:audio" content="/og.mp3"><meta name="twitter:player:stream" content="/tw.mp4">
    <link rel="enclosure" href="/e.mp3" type="audio/mpeg"><video loop muted autoplay src="/wall.mp4"></video>
    <a href="/l.webm?x=1">see</a><a href="/page.html">read</a><video src="/player.mp4"></video>`;
  assert.deepEqual(urlsOf(html), [
    '/player.mp4',
    '/og.mp4',
    '/og.mp3',
    '/tw.mp4',
    '/e.mp3',
    '/l.webm?x=1',
    '/wall.mp4',
  ]);
});

test('players that are HTML pages are not media', () => {
  const html = '<meta property="og:video" content="/embed/1"><meta property="og:video:type" content="text/html">';
  assert.deepEqual(candidates(html), []);
});

test('a page full of players gives at most 50 candidates', () => {
  const html = Array.from({ length: 2_000 }, (_, nth) => `<video src="${nth}.mp4"></video><a href="${nth}.mp3">`).join(
    '',
  );
  assert.equal(candidates(html).length, 50);
});

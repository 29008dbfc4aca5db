import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexEntry } from '../../../../src/page/index-entry.ts';
import { createExtractor } from '../../../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../../../src/transform/pipeline.ts';

const run = createPipeline({ judge: () => ({ kind: 'content', reason: '' }), extract: createExtractor(loadModel()) });

function entryOf(source: string, contentType: string, path: string): IndexEntry {
  const { entry } = run({
    page: {
      ...{ finalUrl: `https://example.com${path}`, status: 200, headers: {}, contentType },
      ...{ bytes: Buffer.from(source), fetchedAt: Date.UTC(2031, 4, 1) },
    },
    options: {
      ...{ formats: [], onlyMainContent: true, includeTags: [], excludeTags: [] },
      ...{ removeBase64Images: true, blockAds: true },
    },
    index: true,
  });
  return entry!;
}

test('Markdown loses its syntax and keeps its words, links and pictures', () => {
  const entry = entryOf(
    [
      ...['# The *pier*', '', 'A **bold** walk, see [the map](/map#x "Map") and `snake_case_name`, 2 * 3 = 6.', ''],
      ...[
        'Depths',
        '------',
        '',
        '- first',
        '- [x] second',
        '> quoted \\*text\\*',
        '',
        '| Port | Depth |',
        '| --- | --- |',
      ],
      ...[
        '| Bergen | 9 m |',
        '',
        '![A crane](crane.png)',
        '',
        '```js',
        'const a = "**b**";',
        '```',
        '',
        '[all][ref]',
        '',
        '[ref]: /other',
      ],
    ].join('\n'),
    'text/markdown',
    '/docs/pier.md',
  );
  assert.equal(
    entry.body,
    [
      ...['The pier', 'A bold walk, see the map and snake_case_name, 2 * 3 = 6.', 'Depths', 'first', 'second'],
      ...['quoted *text*', 'Port | Depth', 'Bergen | 9 m', 'const a = "**b**";', 'all'],
    ].join('\n'),
  );
  assert.equal(entry.title, 'The pier');
  assert.equal(entry.headings, 'The pier\nDepths');
  assert.equal(entry.fileType, 'md');
  assert.deepEqual(entry.links, [
    { url: 'https://example.com/map', text: 'the map' },
    { url: 'https://example.com/other', text: 'all' },
  ]);
  assert.deepEqual(entry.images, [{ url: 'https://example.com/docs/crane.png', alt: 'A crane', caption: '' }]);
});

test('front matter describes a Markdown file', () => {
  const entry = entryOf(
    '---\ntitle: "Tides"\ndate: 2031-04-07\ndescription: Of tides.\ntags: [a]\n---\nThe tide turns.\n',
    'text/markdown',
    '/tides.md',
  );
  assert.deepEqual([entry.title, entry.description, entry.body], ['Tides', 'Of tides.', 'The tide turns.']);
  assert.equal(entry.publishedAt, Date.UTC(2031, 3, 7));
});

test('plain text is indexed as it is, with its file name as title', () => {
  const entry = entryOf('# no heading\r\n\r\n  indented *text*\r\n', 'text/plain', '/a/read%20me.txt');
  assert.equal(entry.body, '# no heading\n  indented *text*');
  assert.deepEqual([entry.title, entry.fileType, entry.isNews], ['read me.txt', 'txt', false]);
  assert.equal(entryOf('x = 1', 'text/plain', '/a/tool.py').fileType, 'py');
  assert.equal(entryOf('x = 1', 'text/plain', '/a/tool.pdf').fileType, 'txt');
  assert.equal(entryOf('x', 'text/plain', '/').title, 'example.com');
  assert.equal(entryOf('x', 'text/plain', '/%ff%').title, '%ff%');
});

test('data files are indexed by their values', () => {
  const json = entryOf('{"port":"Bergen","depth":9}', 'application/json', '/ports');
  assert.match(json.body, /"port": "Bergen"/);
  assert.equal(json.fileType, 'json');
  const csv = entryOf('port,depth\nBergen,9\n', 'text/csv', '/ports.csv');
  assert.equal(csv.body, 'port | depth\nBergen | 9');
  const xml = entryOf(
    '<?xml version="1.0"?><ports><!-- no --><port a="1">Bergen &amp; more</port><![CDATA[<raw>]]></ports>',
    'application/xml',
    '/ports',
  );
  assert.equal(xml.body, 'Bergen & more\n<raw>');
  assert.equal(xml.fileType, 'xml');
});

test('a feed is indexed by its titles and summaries, and its items are links', () => {
  const entry = entryOf(
    '<rss><channel><title>Harbour</title><language>en-GB</language><item><title>New *pier*</title><link>/pier</link>' +
      '<description>It &lt;b&gt;opened&lt;/b&gt;.</description></item></channel></rss>',
    'application/rss+xml',
    '/feed',
  );
  assert.equal(entry.body, 'Harbour\nNew *pier*\nIt opened .');
  assert.deepEqual(entry.links, [{ url: 'https://example.com/pier', text: 'New *pier*' }]);
  assert.deepEqual([entry.title, entry.language, entry.fileType], ['Harbour', 'en', 'xml']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexEntry } from '../../../../src/page/index-entry.ts';
import type { PageBlocks, ParsedFile } from '../../../../src/page/parsed.ts';
import { categoriesOf } from '../../../../src/urls/categories.ts';
import { FETCHED_AT, parsedFileRequest, run, type Sample, transform } from '../parsed-file/parsed-file-samples.ts';

const PROSE = 'The tide turns twice a day in every harbour of this coast, and the pilots know it well. '
  .repeat(5)
  .trim();

const entryOf = (body: ParsedFile['body'], sample?: Sample): IndexEntry => transform(body, sample).entry!;

test('a parsed file is indexed by its title, headings, text and links', () => {
  const markdown = `# Tides\n\n${PROSE} See [the table](/tables#x).\n\n## Ports\n\n| Bergen | 9 m |\n| --- | --- |\n`;
  const metadata = {
    title: 'On Tides',
    description: 'Of tides.',
    language: 'en-GB',
    publishedTime: '2029-04-07T10:00:00Z',
  };
  // The entry ignores which part the caller asks for.
  const entry = entryOf({ markdown }, { parsed: { metadata }, options: { formats: ['html'], includeTags: ['h2'] } });
  assert.deepEqual(
    { ...entry, simhash: '' },
    {
      url: 'https://example.com/files/report.pdf',
      title: 'On Tides',
      description: 'Of tides.',
      headings: 'Tides\nPorts',
      body: `Tides\n${PROSE} See the table.\nPorts\nBergen | 9 m`,
      language: 'en',
      countries: ['GB'],
      publishedAt: Date.UTC(2029, 3, 7, 10),
      fetchedAt: FETCHED_AT,
      fileType: 'pdf',
      isNews: false,
      quality: 0.8,
      links: [{ url: 'https://example.com/tables', text: 'the table' }],
      images: [],
      simhash: '',
    },
  );
  assert.match(entry.simhash, /^[0-9a-f]{16}$/);
});

test('a title written by a program is replaced by the first heading or the file name', () => {
  const titled = (title: string, markdown = '## Tides\n\nText') =>
    entryOf({ markdown }, { parsed: { metadata: { title } }, url: 'https://example.com/f/tide_table%2024.pdf' }).title;
  for (const junk of [
    ...['Microsoft Word - tides final.doc', 'PowerPoint - x', 'report_v3.indd', 'tide_table 24.PDF', 'C:\\tmp\\x', ''],
    ...[
      'Untitled',
      'Document1',
      'PowerPoint Presentation',
      'Presentation 2',
      '0815',
      '---',
      'file:///tmp/a b',
      'Book1',
    ],
  ])
    assert.equal(titled(junk), 'Tides', junk);
  for (const title of ['On Tides', 'Node.js in Practice', 'Documents of 1945', 'Tides', 'Book of Tides', '潮汐'])
    assert.equal(titled(title), title);
  assert.equal(titled('Untitled', 'No heading.'), 'tide_table 24.pdf');
});

test('the file type follows the content, whatever the URL says', () => {
  const typeOf = (sample: Sample) => entryOf({ markdown: PROSE }, sample).fileType;
  const url = 'https://example.com/download?id=7';
  assert.equal(typeOf({ url }), 'pdf');
  assert.deepEqual(categoriesOf(new URL(url), typeOf({ url })), ['pdf']);
  assert.equal(typeOf({ kind: 'docx', url: 'https://example.com/a.pdf' }), 'docx');
  assert.equal(typeOf({ kind: 'image', url: 'https://example.com/a.JPEG' }), 'jpeg');
  assert.equal(typeOf({ kind: 'image', url, contentType: 'image/jpeg; q=1' }), 'jpg');
  assert.equal(typeOf({ kind: 'image', url, contentType: 'image/webp' }), 'webp');
  assert.equal(typeOf({ kind: 'image', url, contentType: '' }), 'image');
});

test('prose ranks above data, and text above OCR', () => {
  const quality = (sample: Sample, markdown = PROSE) => entryOf({ markdown }, sample).quality;
  const blocks = [{ items: [{ source: 'ocr' }] }] as unknown as PageBlocks[];
  const scanned = quality({ parsed: { blocks } });
  assert.ok(quality({}) > scanned && scanned > quality({ kind: 'image' }));
  assert.ok(quality({ kind: 'docx' }) > quality({ kind: 'pptx' }));
  assert.ok(quality({ kind: 'pptx' }) > quality({ kind: 'xlsx' }));
  assert.ok(quality({}, 'Few words.') < quality({}));
});

test('implausible dates are ignored', () => {
  const published = (publishedTime: string, url?: string) =>
    entryOf({ markdown: PROSE }, { parsed: { metadata: { publishedTime } }, ...(url && { url }) }).publishedAt;
  assert.equal(published('1601-01-01T00:00:00Z'), undefined);
  assert.equal(published('soon'), undefined);
  assert.equal(published('soon', 'https://example.com/2029/04/07/a.pdf'), Date.UTC(2029, 3, 7));
});

test('a response with an error status is not indexed', () => {
  const request = parsedFileRequest({ markdown: PROSE });
  assert.ok(run(request).entry);
  assert.equal(run({ ...request, page: { ...request.page, status: 404 } }).entry, undefined);
  assert.equal(run({ ...request, index: false }).entry, undefined);
});

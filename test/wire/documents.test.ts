// Document files are pages like any other: scraped, cached, crawled, batched and found, each at its price.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { runBatch, runCrawl } from '../support/jobs.ts';
import { makePdf } from '../support/pdf.ts';
import { hostPaths, search } from '../support/search/search.ts';
import { useService } from '../support/use-service.ts';
import { type Handler, page, type Site, send } from '../support/web/reply.ts';

const PROSE = [
  'The quagga was a plains zebra that lived in South Africa until it was',
  'hunted to extinction late in the nineteenth century by European settlers.',
  'It was long thought to be a distinct species, but early genetic studies',
  'have supported it being a subspecies of the plains zebra.',
];
const report = makePdf(
  [
    { heading: 'Annual Report on the Quagga', lines: PROSE },
    { heading: 'Second Chapter', lines: ['Only on the second page stands the word hyrax.', ...PROSE.slice(1)] },
    { heading: 'Third Chapter', lines: ['Only on the third page stands the word pangolin.', ...PROSE.slice(2)] },
  ],
  'The Quagga Report',
);

const file =
  (bytes: Uint8Array, type: string, headers: Record<string, string> = {}): Handler =>
  (exchange) =>
    send(exchange, bytes, { type, headers });

const site: Site = {
  '/': (exchange) =>
    send(exchange, page('Shelf', '<p>Our reports.</p><a href="/report.pdf">Report</a> <a href="/plain">Page</a>')),
  '/plain': (exchange) => send(exchange, page('Plain', `<p>${PROSE.join(' ')}</p>`)),
  '/report.pdf': file(report, 'application/pdf'),
  '/nameless': file(report, 'application/octet-stream'),
  '/lying.html': file(report, 'text/html'),
  '/gone.pdf': (exchange) => send(exchange, page('Gone', '<p>There is no such report.</p>'), { status: 404 }),
  '/empty.pdf': (exchange) => send(exchange, '', { status: 404, type: 'application/pdf' }),
  '/broken.pdf': file(report.subarray(0, 200), 'application/pdf'),
  '/linked.pdf': file(
    makePdf([
      { heading: 'Links', lines: ['The site of the quagga project', ...PROSE], link: 'https://quagga.example/project' },
    ]),
    'application/pdf',
  ),
  '/archive.zip': file(Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'), 'application/zip'),
  '/dot.png': file(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    'image/png',
  ),
};

const sample = (name: string) => readFileSync(new URL(`../documents/${name}`, import.meta.url));
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const DOC = '/document/d/1AbCdEfGhIjKlMnOp';
const SHEET = '/spreadsheets/d/1AbCdEfGhIjKlMnOp';
const TALK = '/presentation/d/1AbCdEfGhIjKlMnOp';
/** Answers exports as Google does, and everything else with a page that needs scripts. */
const google: Site = {
  '/*': (exchange) => send(exchange, page('Loading', '<p>JavaScript is not enabled in your browser.</p>')),
  [`${DOC}/export`]: (exchange) =>
    send(exchange, sample('docx--pandoc-paper/source.docx'), { type: `${OFFICE}.wordprocessingml.document` }),
  [`${SHEET}/export`]: (exchange) =>
    exchange.query.get('format') === 'csv'
      ? send(exchange, `tab,${exchange.query.get('gid')}\nships,12\n`, { type: 'text/csv' })
      : send(exchange, sample('xlsx--accounts/source.xlsx'), { type: `${OFFICE}.spreadsheetml.sheet` }),
  [`${TALK}/export/pptx`]: (exchange) =>
    send(exchange, sample('pptx--pandoc-talk/source.pptx'), { type: `${OFFICE}.presentationml.presentation` }),
  '/document/d/e/2PACX-published/pub': (exchange) => send(exchange, page('Published', `<p>${PROSE.join(' ')}</p>`)),
  '/document/d/private-document/export': ({ response, origin }) => {
    response.writeHead(302, { location: `${origin('accounts.google.com')}/ServiceLogin` }).end();
  },
  '/document/d/deleted-document/export': (exchange) => send(exchange, page('Not found'), { status: 404 }),
};

const scene = useService({}, undefined, { 'shelf.test': site, 'docs.google.com': google });
before(() => scene.web.dns.set('*.google.com', ['127.0.0.1']));

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  data: {
    markdown: string;
    html: string;
    rawBase64: string;
    links: string[];
    pages: { pageNumber: number; markdown: string }[];
    blocks: {
      pageNumber: number;
      status: string;
      items: { type: string; content: string; markdownSpan: number[] }[];
    }[];
    metadata: Record<string, unknown>;
  };
}
const address = (path: string) => scene.web.url('shelf.test', path);
const scrape = (path: string, more: object = {}) => scene.service.scrape<Scraped>({ url: address(path), ...more });
const pdf = (options: object) => ({ parsers: [{ type: 'pdf', ...options }] });

describe('a PDF', () => {
  test('becomes Markdown with its headings, its metadata and its number of pages', async () => {
    const { status, body } = await scrape('/report.pdf');
    assert.equal(status, 200);
    assert.match(body.data.markdown, /^#+ Annual Report on the Quagga$/m);
    assert.match(body.data.markdown, /lived in South Africa until it was hunted to extinction/);
    const { title, numPages, totalPages, creditsUsed, contentType, statusCode } = body.data.metadata;
    assert.deepEqual(
      { title, numPages, totalPages, creditsUsed, contentType, statusCode },
      {
        title: 'The Quagga Report',
        numPages: 3,
        totalPages: 3,
        creditsUsed: 3,
        contentType: 'application/pdf',
        statusCode: 200,
      },
    );
  });

  test('is recognised by its content, whatever its name', async () => {
    for (const path of ['/nameless', '/lying.html']) {
      const { body } = await scrape(path);
      assert.match(body.data.markdown, /pangolin/, path);
      assert.equal(body.data.metadata.totalPages, 3);
    }
  });

  test('is read and charged up to maxPages', async () => {
    const { body } = await scrape('/report.pdf', pdf({ maxPages: 2 }));
    assert.match(body.data.markdown, /hyrax/);
    assert.doesNotMatch(body.data.markdown, /pangolin/);
    const { numPages, totalPages, creditsUsed } = body.data.metadata;
    assert.deepEqual({ numPages, totalPages, creditsUsed }, { numPages: 2, totalPages: 3, creditsUsed: 2 });
  });

  test('comes page by page, in blocks and with page markers on request', async () => {
    const { body } = await scrape('/report.pdf', pdf({ pages: true, blocks: true, pageMarkers: true }));
    const { markdown, pages, blocks } = body.data;
    assert.deepEqual(
      pages.map(({ pageNumber }) => pageNumber),
      [1, 2, 3],
    );
    assert.match(pages[1]!.markdown, /hyrax/);
    assert.match(markdown, /\n\n---\n\n<!-- page 2 -->\n\n/);
    assert.deepEqual(
      blocks.map(({ pageNumber, status }) => [pageNumber, status]),
      [1, 2, 3].map((number) => [number, 'ok']),
    );
    for (const { content, markdownSpan } of blocks.flatMap(({ items }) => items)) {
      if (markdownSpan) assert.ok(markdown.slice(...(markdownSpan as [number, number])).includes(content.slice(0, 10)));
    }
  });

  test('gives HTML and links as a page does', async () => {
    const { body } = await scrape('/linked.pdf', { formats: ['html', 'links'] });
    assert.match(body.data.html, /<h\d[^>]*>Links<\/h\d>/);
    assert.deepEqual(body.data.links, ['https://quagga.example/project']);
  });

  test('is returned as base64, for one credit, without its parser', async () => {
    const { body } = await scrape('/report.pdf', { parsers: [], formats: ['markdown', 'html'] });
    const base64 = report.toString('base64');
    assert.equal(body.data.markdown, base64);
    assert.equal(body.data.html, base64);
    assert.equal(body.data.metadata.creditsUsed, 1);
  });

  test('comes from the cache the second time, at the same price', async () => {
    await scrape('/report.pdf');
    const asked = scene.web.requests('shelf.test', '/report.pdf');
    const { body } = await scrape('/report.pdf');
    const { cacheState, numPages, creditsUsed } = body.data.metadata;
    assert.deepEqual({ cacheState, numPages, creditsUsed }, { cacheState: 'hit', numPages: 3, creditsUsed: 3 });
    const other = await scrape('/report.pdf', pdf({ mode: 'fast' }));
    assert.equal(other.body.data.metadata.cacheState, 'hit');
    assert.match(other.body.data.markdown, /pangolin/);
    assert.equal(scene.web.requests('shelf.test', '/report.pdf'), asked);
  });

  test('is refused as damaged if it is cut off', async () => {
    const { status, body } = await scrape('/broken.pdf');
    assert.deepEqual([status, body.code], [422, 'DOCUMENT_DAMAGED']);
  });

  test('is the error page if the server sent one instead', async () => {
    const gone = await scrape('/gone.pdf');
    assert.equal(gone.body.data.metadata.statusCode, 404);
    assert.match(gone.body.data.markdown, /no such report/);
    const empty = await scrape('/empty.pdf');
    assert.deepEqual([empty.status, empty.body.data.metadata.statusCode], [200, 404]);
  });
});

describe('other files', () => {
  test('rawBase64 returns any file', async () => {
    const { body } = await scrape('/archive.zip', { formats: ['rawBase64'] });
    assert.equal(Buffer.from(body.data.rawBase64, 'base64').length, 22);
    assert.deepEqual(Object.keys(body.data).sort(), ['metadata', 'rawBase64']);
  });

  test('an archive that is not a document is refused with its type', async () => {
    const { body } = await scrape('/archive.zip');
    assert.equal(body.code, 'SCRAPE_UNSUPPORTED_FILE_ERROR');
    assert.match(body.error!, /zip/);
  });

  test('an image is refused without its parser, and the error says how to enable it', async () => {
    const { body } = await scrape('/dot.png');
    assert.equal(body.code, 'SCRAPE_UNSUPPORTED_FILE_ERROR');
    assert.match(body.error!, /"parsers": \["pdf", "image"\]/);
  });
});

describe('Google Docs, Sheets and Slides', () => {
  const read = async (path: string) => {
    const url = scene.web.url('docs.google.com', path);
    const { status, body } = await scene.service.scrape<Scraped>({ url });
    return { url, status, ...body };
  };

  test('a document, a workbook and slides are read through their exports, and keep their URLs', async () => {
    const paths = [
      `${DOC}/edit?usp=sharing`,
      `/document/u/0${DOC.slice('/document'.length)}/view`,
      `${SHEET}/edit`,
      `${TALK}/edit?slide=id.p`,
    ];
    for (const path of paths) {
      const { url, data, error } = await read(path);
      assert.ok(data, `${path}: ${error}`);
      assert.doesNotMatch(data.markdown, /JavaScript is not enabled/, path);
      assert.ok(data.markdown.length > 100, path);
      assert.deepEqual([data.metadata.sourceURL, data.metadata.url], [url, url]);
      assert.match(String(data.metadata.contentType), /openxmlformats/);
    }
    assert.equal((await read(paths[0]!)).data.metadata.cacheState, 'hit');
  });

  test('a tab of a workbook is read alone, and tabs are cached apart', async () => {
    assert.match((await read(`${SHEET}/edit#gid=7`)).data.markdown, /\| tab \| 7 \|/);
    const other = await read(`${SHEET}/edit#gid=8`);
    assert.match(other.data.markdown, /\| tab \| 8 \|/);
    assert.equal(other.data.metadata.sourceURL, other.url);
    assert.match((await read(`${SHEET}/edit?gid=9#gid=9`)).data.markdown, /\| tab \| 9 \|/);
  });

  test('a published document is a page like any other', async () => {
    assert.match((await read('/document/d/e/2PACX-published/pub')).data.markdown, /quagga/);
  });

  test('a private document is an error, a deleted one a page with its status', async () => {
    const hidden = await read('/document/d/private-document/edit');
    assert.deepEqual([hidden.status, hidden.code], [500, 'SCRAPE_SITE_ERROR']);
    assert.match(hidden.error!, /not public.*Anyone with the link/);
    assert.equal((await read('/document/d/deleted-document/edit')).data.metadata.statusCode, 404);
  });
});

describe('jobs and searches', () => {
  test('a crawl follows links to documents', async () => {
    const { documents } = await runCrawl(scene.service, { url: address('/'), limit: 5 });
    const found = documents.find(({ metadata }) => String(metadata.url).endsWith('/report.pdf'));
    assert.match(String(found?.markdown), /Annual Report on the Quagga/);
    assert.equal(found?.metadata.numPages, 3);
  });

  test('a batch reads documents beside pages', async () => {
    const { documents } = await runBatch(scene.service, { urls: [address('/report.pdf'), address('/plain')] });
    assert.deepEqual(documents.map(({ metadata }) => metadata.numPages).sort(), [3, undefined]);
  });

  test('a search finds them by their text and by their type', async () => {
    await scrape('/nameless', { maxAge: 0 });
    await scrape('/plain', { maxAge: 0 });
    const paths = async (query: string, more: object = {}) =>
      hostPaths((await search(scene.service, { query, ...more })).data.web).map((address) =>
        address.slice(address.indexOf('/')),
      );
    assert.ok((await paths('pangolin')).includes('/nameless'));
    const pdfs = await paths('quagga filetype:pdf');
    assert.ok(pdfs.includes('/nameless') && !pdfs.includes('/plain'), String(pdfs));
    const categorised = await paths('quagga', { categories: ['pdf'] });
    assert.ok(categorised.includes('/nameless') && !categorised.includes('/plain'), String(categorised));
  });
});

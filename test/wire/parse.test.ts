// POST /v2/parse with a file: what comes back, what is stored, and what is refused, each with its code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILE_KINDS } from '../../src/page/parsed.ts';
import { ole } from '../support/hostile/hostile-ole.ts';
import { makePdf } from '../support/pdf.ts';
import { useService } from '../support/use-service.ts';
import { SHARED_SETTINGS } from '../support/wire/settings.ts';

const scene = useService(SHARED_SETTINGS, { TRAWL_TEAM_FEATURES: 'none', TRAWL_OCR: 'off' });

interface Answer {
  success: boolean;
  code?: string;
  error?: string;
  details?: { path: (string | number)[]; message: string }[];
  warning?: string;
  data: {
    markdown?: string;
    html?: string;
    rawHtml?: string;
    links?: string[];
    images?: string[];
    summary?: string;
    answer?: string;
    highlights?: string;
    answers?: object[];
    json?: unknown;
    product?: { url: string };
    pages?: { pageNumber: number }[];
    metadata: Record<string, unknown>;
  };
}

async function parse(file: File, options?: object, service = scene.service) {
  const form = new FormData();
  form.append('file', file);
  if (options) form.append('options', JSON.stringify(options));
  const response = await service.fetch('/v2/parse', { method: 'POST', body: form });
  return { status: response.status, body: (await response.json()) as Answer };
}

const file = (content: string | Uint8Array, name: string, type = '') =>
  new File([typeof content === 'string' ? content : Buffer.from(content)], name, { type });

const PAGE = `<!doctype html><html lang="en"><head><title>The quagga</title><link rel="icon" href="q.ico"></head><body>
<nav><a href="/all">All animals</a></nav><main><h1>The quagga</h1>
<p>The quagga was a plains zebra that lived in South Africa until it was hunted to extinction late in the nineteenth
century. It is <a href="zebra.html#stripes">a zebra</a> (<a href="#end">the end</a>), see <a href="https://zebra.example/">the project</a>,
<a href="../herds/index.html">the herds</a>, <a href="/maps/cape?zoom=3">a map</a>, <a href="./notes/../list.html">a list</a> and
<a href="?page=2">the next page</a>.</p>
<p><img src="pictures/quagga.png" alt="A quagga"><img src="https://zebra.example/z.png" alt="A zebra"></p></main></body></html>`;

const SHOP = `<title>Lamp</title><script type="application/ld+json">{"@type":"Product","name":"Lamp","offers":{"price":"40","priceCurrency":"EUR"}}</script><main><h1>Lamp</h1><p>It costs 40 EUR.</p></main>`;

const REPORT = makePdf(
  [
    { heading: 'Annual Report', lines: ['The first page speaks of the quagga and of nothing else at all.'] },
    { heading: 'Second Part', lines: ['The second page speaks of the hyrax and of its many relatives.'] },
  ],
  'The Report',
);

test('a web page becomes Markdown and the other formats, and its relative addresses stay relative', async () => {
  const formats = ['markdown', 'html', 'links', 'images', 'rawHtml'];
  const { status, body } = await parse(file(PAGE, 'The quagga.html', 'text/html'), { formats });
  assert.equal(status, 200, body.error);
  const { markdown, html, links, images, rawHtml, metadata } = body.data;
  assert.match(markdown!, /^# The quagga\n/);
  assert.ok(!markdown!.includes('All animals'), 'main content only');
  assert.match(markdown!, /\[a zebra\]\(zebra\.html#stripes\) \(\[the end\]\(#end\)\)/);
  assert.match(markdown!, /!\[A quagga\]\(pictures\/quagga\.png\)/);
  const written = ['../herds/index.html', '/maps/cape?zoom=3', './notes/../list.html', '?page=2'];
  for (const target of written) {
    assert.ok(markdown!.includes(`](${target})`), target);
    assert.ok(html!.includes(`href="${target}"`), target);
  }
  assert.match(html!, /<a href="zebra\.html#stripes">/);
  assert.deepEqual(links, ['zebra.html#stripes', 'https://zebra.example/', ...written]);
  assert.deepEqual(images, ['pictures/quagga.png', 'https://zebra.example/z.png']);
  assert.ok(!JSON.stringify(body).includes('upload.invalid'));
  assert.equal(rawHtml, PAGE);
  const { scrapeId, quality, ...rest } = metadata;
  assert.deepEqual(rest, {
    title: 'The quagga',
    language: 'en',
    favicon: 'q.ico',
    sourceURL: 'The quagga.html',
    url: 'The quagga.html',
    statusCode: 200,
    sourceFile: 'The quagga.html',
    contentType: 'text/html',
    proxyUsed: 'basic',
    creditsUsed: 1,
    concurrencyLimited: false,
  });
  assert.ok(scrapeId && quality);
});

test('a PDF reports its pages, costs one credit a page, and follows its parser options', async () => {
  const { status, body } = await parse(file(REPORT, 'report.pdf', 'application/pdf'), {
    parsers: [{ type: 'pdf', mode: 'fast', pages: true }],
  });
  assert.equal(status, 200, body.error);
  const { markdown, pages, metadata } = body.data;
  assert.match(markdown!, /Annual Report[\s\S]*quagga[\s\S]*Second Part[\s\S]*hyrax/);
  assert.deepEqual(
    pages!.map(({ pageNumber }) => pageNumber),
    [1, 2],
  );
  const { numPages, totalPages, creditsUsed, contentType, sourceFile, title } = metadata;
  assert.deepEqual(
    { numPages, totalPages, creditsUsed, contentType, sourceFile, title },
    {
      numPages: 2,
      totalPages: 2,
      creditsUsed: 2,
      contentType: 'application/pdf',
      sourceFile: 'report.pdf',
      title: 'The Report',
    },
  );

  const first = await parse(file(REPORT, 'report.pdf'), { parsers: [{ type: 'pdf', maxPages: 1 }] });
  assert.ok(!first.body.data.markdown!.includes('hyrax'));
  assert.deepEqual(
    [first.body.data.metadata.numPages, first.body.data.metadata.totalPages, first.body.data.metadata.creditsUsed],
    [1, 2, 1],
  );
});

test('without parsers a PDF comes back as base64, for one credit', async () => {
  const { body } = await parse(file(REPORT, 'report.pdf'), { parsers: [] });
  assert.equal(body.data.markdown, Buffer.from(REPORT).toString('base64'));
  assert.equal(body.data.metadata.creditsUsed, 1);
});

test('the type of a file is decided by its content, then its name, then its declared type', async () => {
  const cases: [content: string | Uint8Array, name: string, declared: string, type: string, markdown: RegExp][] = [
    [REPORT, 'report.html', 'text/html', 'application/pdf', /Annual Report/],
    [REPORT, 'nameless', '', 'application/pdf', /Annual Report/],
    [PAGE, 'page.html', 'application/pdf', 'text/html', /^# The quagga/],
    [PAGE, 'page.xls', 'application/vnd.ms-excel', 'text/html', /^# The quagga/],
    ['plain words', 'words.txt', 'image/png', 'text/plain', /^plain words$/],
    [PAGE, 'page', '', 'text/html', /^# The quagga/],
    ['Only <b>words</b>.', 'words.html', 'text/plain', 'text/html', /^Only \*\*words\*\*\.$/],
    ['a;b\n1;2\n', 'table.csv', 'application/octet-stream', 'text/csv', /^\| a \| b \|/],
    ['a\tb\n1\t2\n', 'table.tsv', '', 'text/csv', /^\| a \| b \|/],
    ['a,b\n1,2\n', 'table', 'text/csv', 'text/csv', /^\| a \| b \|/],
    ['# Notes\n\nText.', 'notes.md', '', 'text/markdown', /^# Notes\n\nText\.$/],
    ['{"a": [1]}', 'data.json', '', 'application/json', /"a"/],
    ['{"a": 1}\n{"a": 2}\n', 'data.jsonl', '', 'application/json', /"a"/],
    ['{\\rtf1\\ansi Rich \\b words\\b0 .}', 'words.doc', 'application/msword', 'application/rtf', /Rich \*\*words\*\*/],
  ];
  for (const [content, name, declared, type, markdown] of cases) {
    const { status, body } = await parse(file(content, name, declared));
    assert.equal(status, 200, `${name}: ${body.error}`);
    assert.match(body.data.markdown!, markdown, name);
    assert.equal(body.data.metadata.contentType, type, name);
  }
});

test('text under the name of a picture or a document is refused, and the error says so', async () => {
  const cases: [content: string, name: string, declared: string, found: string][] = [
    ['plain words', 'words.png', 'image/png', 'text, and not what its name'],
    ['plain words', 'words.docx', '', 'text, and not what its name'],
    ['plain words', 'words.zip', '', 'text, and not what its name'],
    [PAGE, 'page.pdf', 'application/pdf', 'an HTML page, and not what its name'],
    [PAGE, 'page', 'image/jpeg', 'an HTML page, and not what its type'],
  ];
  for (const [content, name, declared, found] of cases) {
    const { status, body } = await parse(file(content, name, declared));
    assert.deepEqual([status, body.code], [400, 'UNSUPPORTED_FILE_TYPE'], name);
    assert.ok(body.error!.startsWith(`The content of the file "${name}" is ${found} says.`), body.error);
  }
});

test('a file that looks like an error page is parsed as content', async () => {
  const { status, body } = await parse(file('<h1>404 Not Found</h1><p>nginx</p>', 'error.html'));
  assert.equal(status, 200);
  assert.match(body.data.markdown!, /404 Not Found/);
  assert.deepEqual([body.data.metadata.verdict, body.data.metadata.creditsUsed], [undefined, 1]);
});

test('the result can be read again by its id, and rated, but is neither cached nor found by a search', async () => {
  const { body } = await parse(file('A text about the unheard-of wumpus.', 'wumpus.txt'));
  const id = String(body.data.metadata.scrapeId);
  const again = await scene.service.fetch(`/v2/scrape/${id}`);
  assert.deepEqual(await again.json(), body);
  const rating = { endpoint: 'parse', jobId: id, rating: 'good' };
  assert.equal((await scene.service.post('/v2/feedback', rating)).status, 200);
  const { body: found } = await scene.service.post<{ data: { web: unknown[] } }>('/v2/search', { query: 'wumpus' });
  assert.deepEqual(found.data.web, []);
  const cached = await scene.service.scrape({ url: 'https://upload.invalid/wumpus.txt', minAge: 0 });
  assert.equal(cached.body.code, 'SCRAPE_NO_CACHED_DATA');
});

test('with zero data retention the result cannot be read again, and a team without the feature is refused', async () => {
  const { body } = await parse(file('Secret.', 'secret.txt'), { zeroDataRetention: true });
  assert.equal(body.data.markdown, 'Secret.');
  assert.equal(body.data.metadata.creditsUsed, 2);
  assert.equal((await scene.service.fetch(`/v2/scrape/${body.data.metadata.scrapeId}`)).status, 404);
  const { status, body: refused } = await parse(file('Secret.', 's.txt'), { zeroDataRetention: true }, scene.other);
  assert.deepEqual([status, refused.code], [403, 'FEATURE_NOT_ENABLED']);
});

test('options that control page loading are refused together, each with its path', async () => {
  const { status, body } = await parse(file('x', 'x.txt'), {
    actions: [{ type: 'wait', milliseconds: 1 }],
    waitFor: 1,
    location: { country: 'US' },
    mobile: true,
    proxy: 'stealth',
    formats: ['markdown', 'screenshot', 'branding', 'changeTracking', 'audio', 'video'],
  });
  assert.deepEqual([status, body.code], [400, 'PARSE_UNSUPPORTED_OPTIONS']);
  const paths = body.details!.map(({ path }) => path.join('.'));
  assert.deepEqual(paths, [
    'actions',
    'waitFor',
    'location',
    'mobile',
    'proxy',
    ...[1, 2, 3, 4, 5].map((index) => `formats.${index}`),
  ]);
  for (const word of ['actions', 'location', 'screenshot', 'video']) assert.ok(body.error!.includes(`'${word}'`), word);
  const raw = await parse(file('x', 'x.txt'), { formats: ['rawBase64'] });
  assert.equal(raw.body.code, 'PARSE_UNSUPPORTED_OPTIONS');
});

test('options without effect on a file are accepted', async () => {
  const { status, body } = await parse(file('x', 'x.txt'), {
    actions: [],
    waitFor: 0,
    mobile: false,
    proxy: 'basic',
    headers: { 'X-A': 'b' },
    skipTlsVerification: true,
    blockAds: false,
    removeBase64Images: false,
    maxAge: 5,
    minAge: 5,
    lockdown: false,
    storeInCache: true,
    timeout: 300_000,
    location: null,
    origin: 'test',
    integration: 'test',
    auditMetadata: { username: 'somebody' },
    nothing: 'known',
  });
  assert.equal(status, 200, body.error);
  assert.equal(body.data.metadata.creditsUsed, 1);
  // It would promise that nothing is stored.
  const locked = await parse(file('x', 'x.txt'), { lockdown: true });
  assert.deepEqual([locked.status, locked.body.code], [400, 'BAD_REQUEST']);
});

test('formats that need understanding are made from a file as from a page', async () => {
  const text = 'The tram line to the harbour opens in May. A ticket costs three euros.';
  const question = { type: 'question', question: 'What does a ticket cost?' };
  const { body: understood } = await parse(file(text, 'x.txt'), { formats: ['summary', question] });
  assert.deepEqual([understood.data.summary, understood.data.answer], [text, 'three euros']);
  const schema = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } };
  const { body: read } = await parse(file(SHOP, 'lamp.html'), { formats: [{ type: 'json', schema }, 'product'] });
  assert.deepEqual([read.data.json, read.data.product?.url], [{ name: 'Lamp', price: 40 }, 'lamp.html']);
  const citations = Object.values(read.data.metadata.citations as Record<string, { url: string }>);
  assert.ok(citations.length > 0 && citations.every(({ url }) => url === 'lamp.html'));
  assert.equal((await parse(file('x', 'x.txt'), { timeout: 300_001 })).body.code, 'BAD_REQUEST');
});

test('formats of the same key are all answered, and the key is that of the first', async () => {
  const text =
    'The tram line to the harbour opens in May. A ticket costs three euros. Dogs travel free. Bicycles cost one euro.';
  const ticket = { type: 'question', question: 'What does a ticket cost?' };
  const opening = { type: 'question', question: 'When does the tram line open?' };
  const dogs = { type: 'highlights', query: 'dogs' };
  const bicycles = { type: 'highlights', query: 'bicycles' };
  const query = { type: 'query', prompt: 'What do bicycles cost?' };
  const formats = [ticket, dogs, opening, ticket, bicycles, query];
  const { data } = (await parse(file(text, 'x.txt'), { formats })).body;
  assert.deepEqual([data.answer, data.highlights], ['three euros', 'Dogs travel free.']);
  assert.deepEqual(data.answers, [
    { ...ticket, answer: 'three euros' },
    { ...dogs, highlights: 'Dogs travel free.' },
    { ...opening, answer: 'May' },
    { ...bicycles, highlights: 'Bicycles cost one euro.' },
    { ...query, answer: 'one euro' },
  ]);
  const citations = data.metadata.citations as Record<string, { text: string }>;
  assert.deepEqual(
    Object.entries(citations).map(([path, cited]) => [path, cited.text]),
    [
      ['answer', 'A ticket costs three euros.'],
      ['highlights', 'Dogs travel free.'],
      ['answers[2].answer', 'The tram line to the harbour opens in May.'],
      ['answers[3].highlights', 'Bicycles cost one euro.'],
      ['answers[4].answer', 'Bicycles cost one euro.'],
    ],
  );
  const { data: one } = (await parse(file(text, 'x.txt'), { formats: [ticket, dogs] })).body;
  assert.ok(one.answer && !('answers' in one));
  const asked = ['name', 'price'].map((name) => ({ type: 'json', schema: { properties: { [name]: {} } } }));
  const { data: shop } = (await parse(file(SHOP, 'lamp.html'), { formats: asked })).body;
  assert.deepEqual(shop.json, { name: 'Lamp' });
  assert.deepEqual(
    shop.answers!.map((answer) => ('json' in answer ? Object.keys(answer.json as object) : [])),
    [['name'], ['price']],
  );
});

test('unsupported, empty and missing files are refused', async () => {
  const elf = Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0', 'latin1');
  const zip = Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1');
  for (const [content, name] of [
    [elf, 'program'],
    [elf, 'program.pdf'],
    [zip, 'archive.zip'],
  ] as const) {
    const { status, body } = await parse(file(content, name));
    assert.deepEqual([status, body.code], [400, 'UNSUPPORTED_FILE_TYPE'], name);
    assert.match(body.error!, /type application\/.*office document/);
  }
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const picture = await parse(file(Buffer.from(dot, 'base64'), 'dot.png'), { parsers: ['pdf'] });
  assert.equal(picture.body.code, 'UNSUPPORTED_FILE_TYPE');
  assert.match(picture.body.error!, /"parsers": \["pdf", "image"\]/);

  const empty = await parse(file('', 'empty.pdf'));
  assert.deepEqual([empty.status, empty.body.code], [400, 'BAD_REQUEST']);
  assert.match(empty.body.error!, /"empty\.pdf" is empty/);
  const { status, body } = await scene.service.post('/v2/parse', {});
  assert.deepEqual([status, body.code], [400, 'BAD_REQUEST']);
  assert.match(String(body.error), /part named `file`.*`uploadRef`/);
});

test('a file may be as large as the setting says, and no larger', async () => {
  const largest = 1024 * 1024;
  const text = `${'word '.repeat(largest / 5)}x`;
  assert.equal(text.length, largest);
  assert.equal((await parse(file(text, 'large.txt'))).status, 200);
  const { status, body } = await parse(file(`${text}y`, 'larger.txt'));
  assert.deepEqual([status, body.code], [400, 'BAD_REQUEST']);
  assert.match(body.error!, /larger than 1 MB.*TRAWL_MAX_UPLOAD_MB/);
});

test('damaged and protected files are reported as such', async () => {
  const locked = ole({ names: ['EncryptedPackage', 'EncryptionInfo'] });
  for (const [content, name, code] of [
    [REPORT.subarray(0, 200), 'broken.pdf', 'DOCUMENT_DAMAGED'],
    [locked, 'locked.docx', 'DOCUMENT_ENCRYPTED'],
  ] as const) {
    const { status, body } = await parse(file(content, name));
    assert.deepEqual([status, body.code], [422, code], name);
  }
});

test('a parse costs a team credits like a scrape', async () => {
  const used = async () => {
    const response = await scene.service.fetch('/v2/team/credit-usage');
    return ((await response.json()) as { data: { remainingCredits: number } }).data.remainingCredits;
  };
  const before = await used();
  await parse(file('x', 'x.txt'));
  assert.equal(before - (await used()), 1);
});

test('the formats that can be parsed are listed; pictures are available only with OCR', async () => {
  interface Formats {
    data: {
      maxBytes: number;
      formats: { format: string; kind: string; extensions: string[]; mimeTypes: string[]; available: boolean }[];
    };
  }
  const list = async (service: typeof scene.service) => {
    const response = await service.fetch('/v2/parse/formats');
    assert.deepEqual([response.status, response.headers.get('cache-control')], [200, 'private, max-age=3600']);
    const { data } = (await response.json()) as Formats;
    assert.equal(data.maxBytes, (service === scene.service ? 1 : 50) * 1024 * 1024);
    return data.formats;
  };
  const [all, withoutOcr] = await Promise.all([list(scene.service), list(scene.other)]);
  const kinds = new Set(all.map(({ format }) => format));
  assert.equal(kinds.size, all.length);
  for (const kind of FILE_KINDS) assert.ok(kinds.has(kind) || kind === 'image', kind);
  assert.deepEqual(
    all.find(({ format }) => format === 'jpeg'),
    {
      format: 'jpeg',
      kind: 'image',
      extensions: ['jpg', 'jpeg'],
      mimeTypes: ['image/jpeg', 'image/jpg'],
      available: true,
    },
  );
  assert.deepEqual(
    all.filter(({ available, format }) => !available && format !== 'avif'),
    [],
  );
  assert.ok(withoutOcr.every(({ kind, available }) => available === (kind === 'document')));
  // What is listed is what uploads accept.
  const uploaded = await parse(file('a,b\n1,2', 'table.CSV', 'application/octet-stream'));
  assert.equal(uploaded.body.data.metadata.contentType, all.find(({ format }) => format === 'csv')!.mimeTypes[0]);
  assert.equal((await scene.service.fetch('/v2/parse/formats', { headers: { authorization: 'x' } })).status, 401);
});

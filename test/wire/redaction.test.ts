// redactPII as callers use it, and what is left of the values that were found: nothing, anywhere.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runtimeProblem } from '../../src/encoders/model-runtime/model-runtime.ts';
import { findInFolder } from '../support/found-bytes.ts';
import { BATCH, CRAWL, runJob, until } from '../support/jobs.ts';
import { makePdf } from '../support/pdf.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { readReceived } from '../support/web/hooks.ts';
import { HTML, reply } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const skip = runtimeProblem() ?? false;

const PERSON = 'Thaddeus Quillfeather';
const PLANTED = [
  PERSON,
  'Quillfeather',
  'quillfeather',
  'Wolverhampton',
  'thaddeus.q@harbour.test',
  '+44 20 7946 0958',
  '442079460958',
  'GB82 WEST 1234 5698 7654 32',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
];

const contactPage = (number: number) => `<!doctype html><html lang="en"><head>
<title>${PERSON}, harbour master | Page ${number}</title>
<meta name="author" content="${PERSON}"><meta name="description" content="Write to thaddeus.q@harbour.test">
<script type="application/ld+json">{"@type":"Person","name":"${PERSON}","telephone":"+44 20 7946 0958"}</script></head>
<body><main><h1>The harbour</h1>
<p>Our harbour master <b>Thaddeus</b> Quillfeather has lived in Wolverhampton for many years. Call him on +44 20 7946 0958
or write to <a href="mailto:thaddeus.q@harbour.test">thaddeus.q@harbour.test</a>.</p>
<p>Please pay harbour dues to the account GB82 WEST 1234 5698 7654 32 before you leave.</p>
<pre>token = ghp_16C7e42F292c6912E7710c838347Ae178B4a</pre>
<img src="/staff/thaddeus-quillfeather.jpg" alt="Portrait of ${PERSON}">
<p>The harbour opens at dawn and closes late. It has room for forty boats, and there is tea for everybody.</p>
<a href="/page/${number + 1}">Next page</a></main></body></html>`;

const pages = Object.fromEntries(
  [1, 2, 3].map((number) => [`/page/${number}`, reply(contactPage(number), { type: HTML })]),
);

let web: Web;
let service: RunningProgram;

before(async () => {
  web = await startWeb({ 'harbour.test': pages });
  service = await startServiceWith(web, { TRAWL_LOG_LEVEL: 'debug' });
});
after(async () => {
  await service?.stop();
  await web?.stop();
});

interface Scraped {
  success: boolean;
  code?: string;
  details?: { path: unknown[] }[];
  data: {
    markdown: string;
    html?: string;
    links?: string[];
    images?: string[];
    json?: unknown;
    summary?: string;
    metadata: Record<string, unknown> & { creditsUsed: number; cacheState?: string; scrapeId: string };
  };
}

const FORMATS = ['markdown', 'html', 'links', 'images'];
const PROPERTIES = { name: { type: 'string' }, telephone: { type: 'string' } };
const DERIVED = [
  'summary',
  'knowledgeGraph',
  'changeTracking',
  { type: 'question', question: 'Who is the harbour master?' },
  { type: 'highlights', query: 'harbour master account' },
  { type: 'json', schema: { type: 'object', properties: PROPERTIES } },
];
const url = (number: number) => web.url('harbour.test', `/page/${number}`);
const holding = (text: string) => PLANTED.filter((value) => text.includes(value));

/** The calls received under a name, once the last one has arrived. */
const receivedUntil = (name: string, last: string) =>
  until(
    () => readReceived(web, name),
    (calls) => calls.some(({ body }) => (JSON.parse(body) as { type: string }).type === last),
  );

async function parse(file: Uint8Array, name: string, options: object): Promise<Scraped> {
  const form = new FormData();
  form.set('file', new File([file as Uint8Array<ArrayBuffer>], name));
  form.set('options', JSON.stringify(options));
  return (await (await service.fetch('/v2/parse', { method: 'POST', body: form })).json()) as Scraped;
}

test('nothing that was found is in an answer, a webhook, a log line or any file', { skip }, async () => {
  const tracking = { type: 'changeTracking', modes: ['git-diff'] };
  const asked = { formats: [...FORMATS, tracking], redactPII: true };
  const webhook = (name: string) => ({
    url: web.url('hooks.test', `/hook/${name}`),
    events: ['started', 'page', 'completed'],
  });
  const scraped = await service.scrape<Scraped>({ url: url(1), ...asked, formats: [...FORMATS, ...DERIVED] });
  assert.equal(scraped.status, 200, JSON.stringify(scraped.body));
  const { markdown, html, links, metadata } = scraped.body.data;
  assert.match(markdown, /harbour master \*?\*?<PERSON>\*?\*? has lived in <LOCATION>/);
  assert.match(markdown, /<PHONE>.*<EMAIL>.*<FINANCIAL>.*<SECRET>.*forty boats/s);
  assert.match(html!, /&lt;PERSON&gt;/);
  assert.equal(metadata.author, '<PERSON>');
  assert.equal(metadata.sourceURL, url(1));
  assert.deepEqual(links, ['mailto:<EMAIL>']);
  assert.deepEqual(scraped.body.data.json, { name: '<PERSON>', telephone: '<PHONE>' });
  assert.match(scraped.body.data.summary!, /<PERSON>/);

  const batch = await runJob(service, BATCH, { urls: [url(1), url(2)], ...asked, webhook: webhook('redacted-batch') });
  const crawl = await runJob(service, CRAWL, {
    url: url(1),
    limit: 3,
    crawlEntireDomain: true,
    scrapeOptions: asked,
    webhook: webhook('redacted-crawl'),
  });
  assert.deepEqual([batch.documents.length, crawl.documents.length], [2, 3]);
  const text = await parse(Buffer.from(`Signed by ${PERSON}, Wolverhampton.`), 'note.txt', { redactPII: true });
  const file = makePdf(
    [{ lines: [`${PERSON} lives in Wolverhampton.`] }, { lines: ['Write to thaddeus.q@harbour.test'] }],
    PERSON,
  );
  const pdf = await parse(file, 'note.pdf', { redactPII: true, parsers: [{ type: 'pdf', pages: true, blocks: true }] });
  assert.deepEqual([text.data.metadata.creditsUsed, pdf.data.metadata.creditsUsed], [5, 10]);
  assert.match(pdf.data.markdown, /<PERSON>.*<EMAIL>/s);
  const again = await service.fetch(`/v2/scrape/${metadata.scrapeId}`);
  assert.equal(((await again.json()) as Scraped).data.markdown, markdown);

  const calls = [
    ...(await receivedUntil('redacted-batch', 'batch_scrape.completed')),
    ...(await receivedUntil('redacted-crawl', 'crawl.completed')),
  ];
  assert.ok(calls.some(({ body }) => body.includes('<PERSON>')));
  const answers = [scraped.body, batch, crawl, text, pdf].map((answer) => JSON.stringify(answer));
  for (const answer of [...answers, ...calls.map(({ body }) => body)]) assert.deepEqual(holding(answer), []);
  assert.deepEqual(findInFolder(service.dataDir, PLANTED), []);
  const { stdout, stderr } = service.output();
  assert.deepEqual(holding(stdout + stderr), []);
});

test('a cached page is read redacted and stays in the cache as it was', { skip }, async () => {
  const plain = await service.scrape<Scraped>({ url: url(3), formats: FORMATS });
  assert.ok(plain.body.data.markdown.includes('Quillfeather'));
  // The search for bytes can fail.
  assert.notDeepEqual(findInFolder(service.dataDir, PLANTED), []);
  const redacted = await service.scrape<Scraped>({
    url: url(3),
    formats: FORMATS,
    redactPII: { replaceStyle: 'mask' },
  });
  assert.equal(redacted.body.data.metadata.cacheState, 'hit');
  assert.deepEqual(holding(JSON.stringify(redacted.body)), []);
  assert.match(redacted.body.data.markdown, /\*{12,} has lived in \*{13} for many years/);
  const after = await service.scrape<Scraped>({ url: url(3), formats: FORMATS });
  assert.deepEqual([after.body.data.metadata.cacheState, after.body.data.markdown], ['hit', plain.body.data.markdown]);
});

test('titles and descriptions of search results are redacted, too', { skip }, async () => {
  const ask = async (more: object) =>
    (
      await service.post('/v2/search', {
        query: 'harbour dues account',
        scrapeOptions: { formats: ['markdown'], ...more },
      })
    ).body;
  await until(
    () => ask({}),
    (answer) => holding(JSON.stringify(answer)).length > 0,
  );
  const redacted = JSON.stringify(await ask({ redactPII: true }));
  assert.match(redacted, /"title":"<PERSON>/);
  assert.deepEqual(holding(redacted), []);
});

test('only the wanted entities are replaced, `fast` works without the model, and `false` is as good as absent', async () => {
  const ask = async (redactPII: unknown) => (await service.scrape<Scraped>({ url: url(1), redactPII })).body.data;
  const some = await ask({ mode: 'fast', entities: ['EMAIL'] });
  assert.match(some.markdown, /Quillfeather.*<EMAIL>.*GB82 WEST/s);
  const none = await ask(false);
  assert.match(none.markdown, /thaddeus\.q@harbour\.test/);
  assert.equal(none.metadata.creditsUsed, 1);
});

test('what cannot be redacted is refused in every operation, and nothing is fetched', async () => {
  const requests = web.requests('harbour.test');
  const options = { formats: ['markdown', 'rawHtml'], redactPII: true };
  for (const [path, body, at] of [
    ['/v2/scrape', { url: url(1), ...options }, ['formats', 1]],
    [BATCH, { urls: [url(1)], ...options }, ['formats', 1]],
    [CRAWL, { url: url(1), scrapeOptions: options }, ['scrapeOptions', 'formats', 1]],
    ['/v2/search', { query: 'harbour', scrapeOptions: options }, ['scrapeOptions', 'formats', 1]],
  ] as const) {
    const answer = await service.post<Scraped>(path, body);
    assert.equal(answer.status, 400, path);
    assert.deepEqual(answer.body.details?.[0]?.path, at);
  }
  assert.equal((await parse(Buffer.from('x'), 'x.txt', options)).success, false);
  assert.equal(web.requests('harbour.test'), requests);
});

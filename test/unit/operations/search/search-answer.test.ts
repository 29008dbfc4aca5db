// The JSON answer of a search: the keys of each item, with scraped content beside them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultItem, writeAnswer, writeItem } from '../../../../src/operations/search/search-answer.ts';

const URL_OF_IT = 'https://example.com/a';
const result = { url: URL_OF_IT, title: 'A title', description: 'A text.' };
const given = [{ provider: 'index', rank: 4 }];
type Options = Parameters<typeof resultItem>[1];
const item = (more: object = {}, options: Partial<Options> = {}) =>
  resultItem(
    { result: { ...result, ...more }, given, score: 1 },
    { source: 'web', position: 2, isCategorised: false, isExplained: false, ...options },
  );
const parse = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;

test('a web result has exactly the keys of the contract', () => {
  assert.deepEqual(item({ date: 1, imageUrl: 'https://example.com/i.png', fileType: 'html' }), {
    ...result,
    position: 2,
  });
});

test('a category is included only when categories were requested, and PDF never is', () => {
  const asked = { isCategorised: true };
  assert.equal(item({ url: 'https://github.com/a/b' }).category, undefined);
  assert.equal(item({ url: 'https://github.com/a/b' }, asked).category, 'github');
  assert.equal(item({ category: 'research' }, asked).category, 'research');
  assert.ok(!('category' in item({ url: 'https://example.com/a.pdf' }, asked)));
  assert.ok(!('category' in item({ category: 'pdf' }, asked)));
});

test('news have a snippet and a date, and images a size, if known', () => {
  const date = Date.UTC(2026, 0, 2, 3, 4, 5);
  assert.deepEqual(item({ date, imageUrl: 'https://example.com/i.png' }, { source: 'news' }), {
    title: 'A title',
    url: URL_OF_IT,
    snippet: 'A text.',
    date: '2026-01-02T03:04:05.000Z',
    imageUrl: 'https://example.com/i.png',
    position: 2,
  });
  assert.deepEqual(Object.keys(item({}, { source: 'news' })), ['title', 'url', 'snippet', 'position']);
  const image = { imageUrl: 'https://example.com/i.png', imageWidth: 3, imageHeight: 2 };
  assert.deepEqual(item(image, { source: 'images' }), { title: 'A title', url: URL_OF_IT, ...image, position: 2 });
});

test('scraped content is added to the item, whose own fields stay', () => {
  const content = Buffer.from(JSON.stringify({ markdown: '# "Hi"', links: [] }));
  const metadata = {
    sourceURL: URL_OF_IT,
    url: URL_OF_IT,
    statusCode: 200,
    title: 'Of the page',
    error: '',
    errorCode: 'UNKNOWN_ERROR',
  } as const;
  const written = parse(Buffer.concat(writeItem(item(), { content, metadata, credits: 1, warning: 'Look out.' })));
  assert.deepEqual(written, {
    markdown: '# "Hi"',
    links: [],
    ...result,
    position: 2,
    warning: 'Look out.',
    metadata: { ...metadata, description: 'A text.' },
  });
});

test('a failed scrape leaves the item with its metadata', () => {
  const metadata = {
    sourceURL: URL_OF_IT,
    url: URL_OF_IT,
    statusCode: 500,
    error: 'It broke.',
    errorCode: 'UNKNOWN_ERROR',
  } as const;
  const written = parse(Buffer.concat(writeItem(item(), { content: Buffer.from('{}'), metadata, credits: 0 })));
  assert.deepEqual(written, {
    ...result,
    position: 2,
    metadata: { title: 'A title', description: 'A text.', ...metadata },
  });
});

test('an answer without results or extras has no empty keys', async () => {
  const read = async (text: Promise<{ bytes: Uint8Array }>) => parse((await text).bytes);
  assert.deepEqual(await read(writeAnswer({ id: 'x', creditsUsed: 0 }, [])), {
    success: true,
    id: 'x',
    creditsUsed: 0,
    data: {},
  });
  const items = [1, 2].map((n) => [Buffer.from(JSON.stringify({ n }))]);
  const lists = [
    { source: 'web' as const, items },
    { source: 'news' as const, items: [] },
    { source: 'images' as const, items: items.slice(1) },
  ];
  assert.deepEqual(await read(writeAnswer({ id: 'x', creditsUsed: 2, warning: 'W "w".' }, lists)), {
    success: true,
    id: 'x',
    creditsUsed: 2,
    warning: 'W "w".',
    data: { web: [{ n: 1 }, { n: 2 }], news: [], images: [{ n: 2 }] },
  });
});

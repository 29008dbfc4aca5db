// Documents in a folder: nothing of another page is replaced, and a second run replaces the files of the first.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeDocument } from '../../../../src/cli/documents/document-folder.ts';
import { openDocumentOutput } from '../../../../src/cli/documents/document-output.ts';
import type { ApiClient } from '../../../../src/client/api-client.ts';
import { ApiError } from '../../../../src/client/api-error.ts';
import type { Document } from '../../../../src/contracts/scrape/document.ts';

const API = {} as ApiClient;

const page = (url: string, content: Omit<Partial<Document>, 'metadata'>): Document => ({
  ...content,
  metadata: {
    sourceURL: url,
    url,
    title: 'A "title"',
    statusCode: 200,
    scrapeId: '1',
    proxyUsed: 'basic',
    creditsUsed: 1,
    concurrencyLimited: false,
  },
});

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-out-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

test('the path comes from the address, however the caller wrote it', async (t) => {
  const folder = await folderFor(t);
  for (const [url, file] of [
    ['a.example/x', 'a.example/x.md'],
    [' HTTP://B.Example/y#part', 'b.example/y.md'],
    ['c.example:8080/z', 'c.example_8080/z.md'],
  ] as const) {
    assert.equal(await writeDocument(folder, page(url, { markdown: '# Hi' }), API), join(folder, file));
  }
});

test('a page becomes Markdown that names its URL, with its other formats beside it', async (t) => {
  const folder = await folderFor(t);
  const formats = { markdown: '# Hi\n', html: '<h1>Hi</h1>', rawHtml: '<html>', links: ['https://a.example/'] };
  const path = await writeDocument(folder, page('https://a.example/x/y', formats), API);
  assert.equal(path, join(folder, 'a.example/x/y.md'));
  assert.deepEqual(await filesIn(folder), [
    'a.example/x/y.html',
    'a.example/x/y.json',
    'a.example/x/y.md',
    'a.example/x/y.raw.html',
  ]);
  assert.equal(
    await readFile(path, 'utf8'),
    '---\nurl: "https://a.example/x/y"\ntitle: "A \\"title\\""\n---\n\n# Hi\n',
  );
  assert.deepEqual(JSON.parse(await readFile(join(folder, 'a.example/x/y.json'), 'utf8')).links, [
    'https://a.example/',
  ]);
});

test('a second run replaces the files of the first', async (t) => {
  const folder = await folderFor(t);
  for (const markdown of ['first', 'second'])
    await writeDocument(folder, page('https://a.example/x', { markdown }), API);
  assert.deepEqual(await filesIn(folder), ['a.example/x.md']);
  assert.match(await readFile(join(folder, 'a.example/x.md'), 'utf8'), /second\n$/);
});

test('pages whose URLs give the same path do not replace each other', async (t) => {
  const folder = await folderFor(t);
  const urls = ['https://a.example/x', 'https://a.example/x.html', 'http://a.example/x', 'https://a.example/x.md'];
  for (let run = 0; run < 2; run += 1)
    for (const url of urls) await writeDocument(folder, page(url, { markdown: url }), API);
  // One without Markdown, whose first file is JSON, is another page as well.
  await writeDocument(folder, page('https://a.example/x#1', { html: 'other' }), API);
  const files = await filesIn(folder);
  assert.equal(files.length, urls.length + 2, files.join());
  for (const url of urls) {
    const contents = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    assert.equal(contents.filter((text) => text.endsWith(`\n\n${url}\n`)).length, 1, url);
  }
});

test('a page and a folder may want the same name, in either order', async (t) => {
  for (const urls of [
    ['https://a.example/x', 'https://a.example/x.md/y'],
    ['https://a.example/x.md/y', 'https://a.example/x'],
  ]) {
    const folder = await folderFor(t);
    for (const url of urls) await writeDocument(folder, page(url, { markdown: url }), API);
    assert.equal((await filesIn(folder)).length, 2);
  }
});

test("a file that is not Trawl's stays as it is", async (t) => {
  const folder = await folderFor(t);
  await mkdir(join(folder, 'a.example'));
  await writeFile(join(folder, 'a.example/x.md'), 'mine');
  const path = await writeDocument(folder, page('https://a.example/x', { markdown: 'theirs' }), API);
  assert.match(path, /x-[0-9a-f]{10}\.md$/);
  assert.equal(await readFile(join(folder, 'a.example/x.md'), 'utf8'), 'mine');
  await writeFile(join(folder, 'a.example/y.html'), 'mine');
  await writeDocument(folder, page('https://a.example/y', { markdown: 'theirs', html: 'theirs' }), API);
  assert.equal(await readFile(join(folder, 'a.example/y.html'), 'utf8'), 'mine');
});

test('one file of many pages is put in its place when it is closed, and left out if the work did not begin', async (t) => {
  const folder = await folderFor(t);
  const path = join(folder, 'new', 'all.jsonl');
  {
    await using first = await openDocumentOutput(path, {} as never, API);
    await first.write(page('https://a.example/', { markdown: 'first' }));
    await first.close();
  }
  const before = await readFile(path, 'utf8');
  {
    await using refused = await openDocumentOutput(path, {} as never, API);
    await refused.write(page('https://a.example/', { markdown: 'second' }));
  }
  assert.match(before, /first/);
  assert.equal(await readFile(path, 'utf8'), before);
  assert.deepEqual(await filesIn(folder), ['new/all.jsonl']);
});

test('the name decides between a folder, JSON lines and one Markdown file', async (t) => {
  const folder = await folderFor(t);
  const screen = { isTerminal: false, json: false, print: () => {}, note: () => {}, progress: () => assert.fail() };
  for (const name of ['all.jsonl', 'all.md', 'pages/']) {
    const output = await openDocumentOutput(join(folder, name), screen as never, API);
    for (const path of ['a', 'b']) await output.write(page(`https://a.example/${path}`, { markdown: `# ${path}` }));
    await output.close();
  }
  assert.deepEqual(await filesIn(folder), ['all.jsonl', 'all.md', 'pages/a.example/a.md', 'pages/a.example/b.md']);
  const lines = (await readFile(join(folder, 'all.jsonl'), 'utf8')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).markdown),
    ['# a', '# b'],
  );
  assert.equal(
    await readFile(join(folder, 'all.md'), 'utf8'),
    '<!-- https://a.example/a -->\n\n# a\n\n<!-- https://a.example/b -->\n\n# b\n\n',
  );
  await assert.rejects(openDocumentOutput(join(folder, 'all.pdf'), screen as never, API), /cannot be written to/);
});

test('a screenshot is written beside the page, unless the service no longer has it', async (t) => {
  const folder = await folderFor(t);
  const asked: unknown[] = [];
  const api = {
    download: async (id: string, call: { params: { file: string } }) => {
      asked.push([id, call]);
      if (call.params.file === 'gone') {
        throw new ApiError('Gone.', { code: 'NOT_FOUND', status: 404, retryAfter: undefined, body: undefined });
      }
      return { status: 200, headers: {}, body: [Buffer.from('PNG')] };
    },
  } as unknown as ApiClient;
  const write = (name: string, screenshot: string) =>
    writeDocument(folder, page(`https://a.example/${name}`, { markdown: '', screenshot }), api);
  const link = (file: string) => `http://127.0.0.1:3002/files/${file}/shot.png?expires=9&sig=s`;
  await write('x', link('abc'));
  await write('y', 'data:image/jpeg;base64,SlBH');
  await write('z', link('gone'));
  assert.deepEqual(asked[0], [
    'file',
    { params: { file: 'abc', name: 'shot.png' }, query: { expires: '9', sig: 's' } },
  ]);
  const pictures = (await filesIn(folder)).filter((file) => /(png|jpg)$/.test(file));
  assert.deepEqual(pictures, ['a.example/x.screenshot.png', 'a.example/y.screenshot.jpg']);
  assert.equal(await readFile(join(folder, 'a.example/y.screenshot.jpg'), 'utf8'), 'JPG');
});

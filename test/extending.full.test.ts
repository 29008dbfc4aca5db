// Follows the recipes of docs/extend/extending.md on a copy of the sources, then uses what they add.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { applyEdit, readRecipes } from './support/recipes.ts';
import { type RunningService, startServiceWith } from './support/service.ts';
import { startWeb, type Web } from './support/web.ts';

const ROOT = join(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'trawl-extended-'));
const edits = readRecipes(readFileSync(join(ROOT, 'docs/extend/extending.md'), 'utf8'));

for (const name of [
  'src',
  'data',
  'docs',
  'web',
  'scripts',
  'deploy',
  'test/support',
  'package.json',
  'package-lock.json',
  'models/package-lock.json',
  'models/pii/MODEL_CARD.md',
  'models/reader/MODEL_CARD.md',
  'models/sentences/MODEL_CARD.md',
  'tsconfig.json',
]) {
  cpSync(join(ROOT, name), join(copy, name), { recursive: true });
}
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
for (const edit of edits) applyEdit(copy, edit);
after(() => rmSync(copy, { recursive: true, force: true }));

test('there is a recipe for each extension point', () => {
  assert.deepEqual(
    [...new Set(edits.map(({ recipe }) => recipe))],
    [
      'A search provider',
      'An output format',
      'An understood format',
      'A scrape option',
      'An operation',
      'A setting',
      'A document parser',
      'A dialect',
    ],
  );
});

test('the extended sources compile, and their docs can be generated', async () => {
  const run = promisify(execFile);
  const config = JSON.parse(readFileSync(join(copy, 'tsconfig.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ ...config, include: ['src'] }));
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit'], { cwd: copy });
  await run(process.execPath, ['scripts/docs/write.ts'], { cwd: copy });
  assert.match(readFileSync(join(copy, 'docs/operate/settings.md'), 'utf8'), /`TRAWL_PING_MESSAGE`/);
  assert.match(readFileSync(join(copy, 'docs/use/operations.md'), 'utf8'), /`GET \/v2\/ping`/);
});

describe('the extended service', () => {
  let web: Web;
  let service: RunningService;
  const provider = createServer((request, response) => {
    const words = new URL(request.url!, 'http://a').searchParams.get('q');
    const hit = { link: 'https://found.example/lantern', name: `About ${words}`, summary: `All about ${words}.` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ hits: [hit] }));
  });

  before(async () => {
    web = await startWeb();
    await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
    const settings = {
      TRAWL_PING_MESSAGE: 'here I am',
      TRAWL_SEARCH_PROVIDERS: 'example',
      TRAWL_EXAMPLE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    };
    service = await startServiceWith(web, settings, { root: copy });
  });
  after(async () => {
    await service?.stop();
    await web?.stop();
    provider.close();
  });

  test('a search provider: its results are returned by a search', async () => {
    const { body } = await service.post<{ data: { web: object[] } }>('/v2/search', { query: 'lantern' });
    assert.deepEqual(body.data.web, [
      { url: 'https://found.example/lantern', title: 'About lantern', description: 'All about lantern.', position: 1 },
    ]);
  });

  test('an output format: the headings of a page', async () => {
    const { body } = await service.scrape<{ data: { headings: string[] } }>({
      url: web.url('news.test', '/article/1'),
      formats: ['headings'],
    });
    assert.ok(body.data.headings.length > 0, JSON.stringify(body));
  });

  test('an understood format: the shops that a text names, or a warning', async () => {
    const outletsIn = async (text: string) => {
      const form = new FormData();
      form.set('file', new File([text], 'about.txt'));
      form.set('options', JSON.stringify({ formats: ['outlets'] }));
      const response = await service.fetch('/v2/parse', { method: 'POST', body: form });
      return ((await response.json()) as { data: { outlets?: string[]; warning?: string } }).data;
    };
    assert.deepEqual((await outletsIn('Our shops: Kiel, Bremen.')).outlets, ['Kiel', 'Bremen']);
    assert.match((await outletsIn('We have no shops.')).warning!, /The page names no shops/);
  });

  test('a scrape option: fewer links, and another result in the cache', async () => {
    const linksOf = async (options: object) => {
      const url = web.url('news.test', '/');
      return (await service.scrape<{ data: { links: string[] } }>({ url, formats: ['links'], ...options })).body.data
        .links;
    };
    assert.ok((await linksOf({})).length > 1);
    assert.equal((await linksOf({ maxLinks: 1 })).length, 1);
  });

  test('an operation and its setting', async () => {
    const response = await service.fetch('/v2/ping');
    assert.deepEqual(await response.json(), { success: true, message: 'here I am', team: 'default' });
  });

  test('a document parser: subtitles become paragraphs', async () => {
    const form = new FormData();
    const srt = '1\n00:00:01,000 --> 00:00:02,000\nGood evening.\n\n2\n00:00:03,000 --> 00:00:04,000\nWelcome <all>.\n';
    form.set('file', new File([srt], 'talk.srt'));
    const response = await service.fetch('/v2/parse', { method: 'POST', body: form });
    const body = (await response.json()) as { data: { markdown: string } };
    assert.equal(body.data.markdown, 'Good evening.\n\nWelcome \\<all>.');
  });

  test('a dialect: found pages in the words of another wire, with its errors', async () => {
    const found = await service.fetch('/finder/find?words=lantern');
    assert.deepEqual(await found.json(), ['https://found.example/lantern']);
    const refused = await service.fetch('/finder/find');
    assert.equal(refused.status, 400);
    assert.match(((await refused.json()) as { problem: string }).problem, /Set `words`/);
  });
});

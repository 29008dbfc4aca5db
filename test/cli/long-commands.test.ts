// The commands of long work as their user runs them: crawl, batch, parse, extract, agent, monitor, browser.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { until } from '../support/jobs.ts';
import { ROOT } from '../support/program.ts';
import { type Ended, runTrawl, startTrawl } from '../support/run-trawl.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { page, reset, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const KEY = 'fc-long-commands-test';
const PARTLY = 4;
const INTERRUPTED = 130;
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/** Pages of a site wait here until they are released, and fail while they are listed. */
const held = new Map<string, PromiseWithResolvers<void>>();
const broken = new Set<string>();
const FILLER = `<p>${'The shop sells tools for gardens of every size, all year round. '.repeat(5)}</p>`;

function siteOf(host: string, pages: number): Site {
  const links = Array.from({ length: pages - 1 }, (_, index) => `<a href="/p/${index + 1}">Page ${index + 1}</a>`);
  return {
    '/': (exchange) => send(exchange, page(`Start of ${host}`, `${FILLER}${links.join(' ')}`)),
    '/p/*': async (exchange) => {
      if (Number(exchange.tail) > 3) await held.get(host)?.promise;
      if (broken.has(`${host}${exchange.path}`)) reset(exchange);
      else send(exchange, page(`Page ${exchange.tail}`, `${FILLER}<p>Price: $${exchange.tail}.00</p>`));
    },
  };
}

const HOSTS = {
  'folder.test': 12,
  'printed.test': 4,
  'control.test': 12,
  'left.test': 12,
  'embedded.test': 12,
  'list.test': 6,
};

let web: Web;
let service: RunningService;
let folder: string;
const settings = () => ({
  TRAWL_API_KEY: KEY,
  TRAWL_BROWSER: 'auto',
  TRAWL_BROWSER_EXECUTE: 'on',
  TRAWL_DATA_DIR: join(folder, 'data'),
});

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-cli-'));
  web = await startWeb(Object.fromEntries(Object.entries(HOSTS).map(([host, pages]) => [host, siteOf(host, pages)])));
  service = await startServiceWith(web, settings());
});
after(async () => {
  for (const { resolve } of held.values()) resolve();
  await service?.stop();
  await web?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (args: readonly string[], input?: string | Uint8Array) =>
  startTrawl(args, {
    env: { TRAWL_URL: service.url, TRAWL_API_KEY: KEY, HOME: folder },
    ...(input !== undefined && { input }),
  });
const trawl = (...args: string[]): Promise<Ended> => start(args).ended;

/** Fails with what the command said. */
async function succeed(...args: string[]): Promise<Ended> {
  const ended = await trawl(...args);
  assert.equal(ended.code, 0, `trawl ${args.join(' ')}: ${ended.err}${ended.out}`);
  return ended;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const markdownIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.md'));

describe('crawl', { concurrency: 3 }, () => {
  test('writes each page to a folder as it arrives, prints it, and names what failed', async () => {
    broken.add('printed.test/p/2');
    const url = web.url('printed.test');
    const printed = await trawl('crawl', url);
    assert.equal(printed.code, PARTLY, printed.err);
    assert.equal(printed.out.match(/^<!-- http:\/\/printed\.test:\d+\/.* -->$/gm)?.length, 3);
    assert.match(printed.out, /# Page 3\n/);
    assert.match(printed.err, /3 pages, 1 failed, 3 credits, [\d.]+ s\./);
    const id = UUID.exec(printed.err)![0];
    assert.match(printed.err, new RegExp(`trawl crawl errors ${id}`));

    const errors = await succeed('crawl', 'errors', id);
    assert.match(errors.out, /^URL +CODE +ERROR\nhttp:\/\/printed\.test:\d+\/p\/2 +\w+ +\w/);
    broken.clear();
    const retried = await succeed('crawl', 'retry', id, '--json');
    assert.deepEqual(
      linesOf(retried.out).map((line) => new URL(JSON.parse(line).metadata.url).pathname),
      ['/p/2'],
    );

    const whole = await succeed('crawl', 'follow', id, '-o', join(folder, 'printed/'), '--quiet');
    assert.deepEqual([whole.out, whole.err], ['', '']);
    assert.equal((await markdownIn(join(folder, 'printed'))).length, 4);
    const refused = await trawl('crawl', url, '-o', join(folder, 'pages.pdf'));
    assert.equal(refused.code, 2);
    assert.equal(linesOf(refused.err).length, 1);
  });

  test('can be paused, resumed, extended, exported and cancelled', async () => {
    held.set('control.test', Promise.withResolvers());
    const started = await succeed('crawl', web.url('control.test'), '--limit', '5', '--no-wait');
    const id = started.out.trim();
    assert.match(id, UUID);
    await succeed('crawl', 'pause', id);
    assert.match((await succeed('crawl', 'status', id)).out, /^status +paused$/m);
    assert.match((await succeed('crawl', 'list')).out, new RegExp(`^${id} +paused +\\S+ +http://control`, 'm'));
    held.get('control.test')!.resolve();

    const file = join(folder, 'control.jsonl');
    await succeed('crawl', 'resume', id, '-o', file);
    assert.equal(linesOf(await readFile(file, 'utf8')).length, 5);
    const extended = await succeed('crawl', 'extend', id, '--limit', '8', '--json');
    assert.equal(linesOf(extended.out).length, 3);
    const status = JSON.parse((await succeed('crawl', 'status', id, '--json')).out);
    assert.deepEqual([status.status, status.completed, 'data' in status], ['completed', 8, false]);

    const zip = join(folder, 'control.zip');
    await succeed('crawl', 'export', id, '-o', zip);
    assert.equal((await readFile(zip, 'latin1')).slice(0, 2), 'PK');
    assert.equal(linesOf((await succeed('crawl', 'export', id)).out).length, 8);
    const cancelled = await trawl('crawl', 'cancel', id);
    assert.equal(cancelled.code, 1);
    assert.match(cancelled.err, /^Crawl is already completed\n$/);
  });

  test('goes on after Ctrl-C, and the command says how to see it again', async () => {
    held.set('left.test', Promise.withResolvers());
    const following = start(['crawl', web.url('left.test'), '-o', join(folder, 'left/')]);
    await until(
      () => markdownIn(join(folder, 'left')),
      (names) => names.length >= 2,
    );
    following.child.kill('SIGINT');
    const { code, err } = await following.ended;
    assert.equal(code, INTERRUPTED, err);
    const id = /The crawl goes on\. `trawl crawl follow (\S+)`/.exec(err)?.[1];
    assert.ok(id, err);
    assert.match((await succeed('crawl', 'status', id)).out, /^status +scraping$/m);
    await succeed('crawl', 'cancel', id);
    assert.equal((await trawl('crawl', 'follow', id, '-o', join(folder, 'left/'))).code, 1);
    held.get('left.test')!.resolve();
  });
});

test('a crawl to a folder survives a kill of the service, and every page is written once', async () => {
  held.set('folder.test', Promise.withResolvers());
  const pages = join(folder, 'pages/');
  const following = start(['crawl', web.url('folder.test'), '-o', pages, '--formats', 'markdown,links']);
  await until(
    () => markdownIn(pages),
    (names) => names.length >= 2,
  );
  const { port } = new URL(service.url);
  await service.kill();
  await until(
    async () => following.text.err,
    (err) => err.includes('Trying again.'),
  );
  held.get('folder.test')!.resolve();
  service = await startServiceWith(web, { ...settings(), TRAWL_PORT: port });
  const { code, err } = await following.ended;
  assert.equal(code, 0, err);
  assert.match(err, /The service answers again\.\n12 pages, 12 credits, [\d.]+ s\. They are in .*pages\/\.\n/);
  const names = await readdir(pages, { recursive: true });
  assert.equal(names.filter((name) => name.endsWith('.md')).length, 12);
  assert.equal(names.filter((name) => name.endsWith('.json')).length, 12);
  const start_ = await readFile(join(pages, `folder.test_${web.port}`, 'index.md'), 'utf8');
  assert.match(start_, /^---\nurl: "http:\/\/folder\.test:\d+\/"\ntitle: "Start of folder\.test"\n---\n\n/);
});

test('a crawl with a service of its own is paused by Ctrl-C and continues with resume', async () => {
  held.set('embedded.test', Promise.withResolvers());
  const env = {
    ...web.settings,
    HOME: folder,
    TRAWL_DATA_DIR: join(folder, 'own'),
    TRAWL_BROWSER: 'off',
    TRAWL_INDEX_MANUAL: 'off',
  };
  const pages = join(folder, 'own-pages/');
  const first = startTrawl(['crawl', web.url('embedded.test'), '-o', pages], { env });
  await until(
    () => markdownIn(pages),
    (names) => names.length >= 2,
  );
  first.child.kill('SIGINT');
  // Pages that are being read hold the pause up until they are released.
  held.get('embedded.test')!.resolve();
  const { code, err } = await first.ended;
  assert.equal(code, INTERRUPTED, err);
  const id = /is paused and stays in the data folder\. `trawl crawl resume (\S+)`/.exec(err)?.[1];
  assert.ok(id, err);
  const followed = await runTrawl(['crawl', 'follow', id, '-o', pages], { env });
  assert.equal(followed.code, 1);
  assert.match(followed.err, new RegExp(`^No service works on this crawl\\. \`trawl crawl resume ${id}\``, 'm'));
  const second = await runTrawl(['crawl', 'resume', id, '-o', pages], { env });
  assert.equal(second.code, 0, second.err);
  assert.equal((await markdownIn(pages)).length, 12);

  for (const args of [
    ['crawl', web.url('embedded.test'), '--no-wait'],
    ['monitor', 'create', web.url('embedded.test'), '--every', 'hour'],
    ['browser', 'open'],
  ]) {
    const refused = await runTrawl(args, { env });
    assert.equal(refused.code, 2, refused.err);
    assert.match(refused.err, /running service.*`trawl serve`/);
    assert.equal(linesOf(refused.err).length, 1, refused.err);
  }
});

describe('other commands', { concurrency: 3 }, () => {
  test('a batch takes a list from standard input, with comments, duplicates and nonsense', async () => {
    const url = (path: string) => web.url('list.test', path);
    const list = `# pages\n${url('/')}\n\n${url('/p/1')}\n${url('/p/1')}\nnot a url\n${url('/p/2')}`;
    const { code, out, err } = await start(['batch', '-', '--json'], list).ended;
    assert.equal(code, 0, err);
    assert.deepEqual(
      linesOf(out)
        .map((line) => JSON.parse(line).metadata.sourceURL)
        .sort(),
      [url('/'), url('/p/1'), url('/p/2')],
    );
    assert.match(err, /Skipped 1 entry of the list/);
    const file = join(folder, 'urls.txt');
    await writeFile(file, `${url('/p/3')}\n`);
    const id = (await succeed('batch', '-f', file, url('/p/4'), '--no-wait')).out.trim();
    assert.match((await succeed('batch', 'follow', id)).out, /# Page 3\n/);
    assert.match((await succeed('batch', 'status', id)).out, /^pages +2 of 2$/m);
    assert.match((await succeed('batch', 'list')).out, new RegExp(`^${id} `, 'm'));
    assert.equal((await start(['batch', '-'], 'nonsense here\n').ended).code, 2);
    assert.match((await trawl('batch', '-f', join(folder, 'none.txt'))).err, /none\.txt cannot be read \(ENOENT\)/);
  });

  test('local files become Markdown', async () => {
    const docx = join(ROOT, 'test/documents/docx--pandoc-paper/source.docx');
    const one = await succeed('parse', docx);
    assert.match(one.out, /^#+ /m);
    const piped = await start(['parse', '-', '--name', 'paper.docx'], await readFile(docx)).ended;
    assert.equal(piped.out, one.out);
    const bad = join(folder, 'bad.docx');
    await writeFile(bad, 'PK\x03\x04 broken');
    const both = await trawl('parse', docx, bad, '-o', join(folder, 'parsed/'));
    assert.equal(both.code, PARTLY, both.err);
    assert.deepEqual(await markdownIn(join(folder, 'parsed')), ['source.docx.md']);
    const missing = await trawl('parse', join(folder, 'none.pdf'));
    assert.deepEqual([missing.code, linesOf(missing.err).length], [2, 1]);
  });

  const schema = { type: 'object', properties: { price: { type: 'number' } } };

  test('an extraction prints its data, also without a language model', async () => {
    const file = join(folder, 'schema.json');
    await writeFile(file, JSON.stringify(schema));
    const url = web.url('list.test', '/p/5');
    const { out, err } = await succeed('extract', url, '--schema', `@${file}`, '--sources');
    assert.equal(typeof JSON.parse(out), 'object', err);
    const id = (await succeed('extract', url, '--schema', `@${file}`, '--no-wait')).out.trim();
    assert.deepEqual(JSON.parse((await succeed('extract', 'follow', id)).out), JSON.parse(out));
    assert.equal(JSON.parse((await succeed('extract', 'status', id, '--json')).out).status, 'completed');
    assert.equal((await trawl('extract')).code, 2);
  });

  test('an agent works without a language model, and its steps can be read', async () => {
    const url = web.url('list.test', '/p/5');
    const args = [
      'agent',
      'price of the page',
      '--urls',
      url,
      '--schema',
      JSON.stringify(schema),
      '--strict-constrain-to-urls',
    ];
    const { out, err } = await succeed(...args);
    assert.equal(typeof JSON.parse(out), 'object', err);
    assert.match(err, /--thread-id/);
    const id = UUID.exec((await succeed('agent', 'list')).out)![0];
    assert.match((await succeed('agent', 'trace', id)).out, /run\.finished +succeeded/);
    assert.deepEqual(JSON.parse((await succeed('agent', 'status', id)).out), JSON.parse(out));
  });

  test('a monitor is created, checked, changed, paused and deleted', async () => {
    const url = web.url('list.test', '/p/1');
    const created = await succeed('monitor', 'create', url, '--every', 'hour', '--name', 'Prices');
    const id = /^id +(\S+)$/m.exec(created.out)![1]!;
    assert.match(created.out, /^schedule +0 \* \* \* \* \(UTC\)$/m);
    assert.match((await succeed('monitor', 'list')).out, new RegExp(`^${id} +active .* Prices$`, 'm'));
    const checked = await succeed('monitor', 'run', id);
    assert.match(checked.out, new RegExp(`^new +${url}$`, 'm'));
    const checkId = UUID.exec((await succeed('monitor', 'checks', id)).out)![0];
    assert.match((await succeed('monitor', 'check', id, checkId)).out, /^new /m);
    await succeed('monitor', 'update', id, '--schedule.text', 'daily at 9:00');
    const changed = JSON.parse((await succeed('monitor', 'get', id, '--json')).out);
    assert.equal(changed.data.schedule.cron, '0 9 * * *');
    await succeed('monitor', 'pause', id);
    const refused = await trawl('monitor', 'run', id);
    assert.deepEqual([refused.code, linesOf(refused.err).length], [1, 1]);
    await succeed('monitor', 'resume', id);
    await succeed('monitor', 'delete', id);
    assert.equal((await trawl('monitor', 'get', id)).code, 1);
  });

  test('a browser session is opened, used and closed', NEEDS_BROWSER, async () => {
    const { id, cdpUrl } = JSON.parse((await succeed('browser', 'open', '--ttl', '120', '--json')).out);
    assert.match(cdpUrl, /^ws:/);
    assert.match((await succeed('browser', 'list', '--status', 'active')).out, new RegExp(`^${id} +active`, 'm'));
    const code = `await page.goto(${JSON.stringify(web.url('list.test', '/p/1'))}); await page.title()`;
    const ran = await trawl('browser', 'exec', id, '--code', code);
    // Without a sandbox of the system, the service refuses in a sentence.
    if (ran.code === 0) assert.match(ran.out, /Page 1/);
    else assert.match(ran.err, /sandbox/i);
    assert.equal((await trawl('browser', 'exec', id)).code, 2);
    assert.match((await succeed('browser', 'close', id)).err, /The session has ended/);
  });
});

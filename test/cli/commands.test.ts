// The commands as their user types them: with a service that runs, and without one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { isFolderInUse } from '../../src/store/fs/folder-lock.ts';
import { PROGRAM_ENV } from '../support/program.ts';
import { type Ended, runTrawl, startTrawl, TRAWL } from '../support/run-trawl.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const ESCAPES = '\u001b]0;title of the attacker\u0007\u001b[2J\u009b31m';
const LONG = 'These words fill the page so that no pipe can hold it. '.repeat(20_000);

let slowVisits = 0;
const SITE: Site = {
  '/': (exchange) => send(exchange, page('Home', '<p>Welcome to the harbour.</p><a href="/about">About</a>')),
  '/about': (exchange) => send(exchange, page('About', '<p>About the harbour.</p><a href="/">Home</a>')),
  '/hostile': (exchange) => send(exchange, page('Hostile', `<p>Before ${ESCAPES} after.</p>`)),
  '/long': (exchange) => send(exchange, page('Long', `<p>${LONG}</p>`)),
  '/gone': (exchange) => send(exchange, page('Gone', '<p>It is gone.</p>'), { status: 404 }),
  // Never answers.
  '/stuck': () => {
    slowVisits++;
  },
  '/crawl/*': (exchange) => {
    const links = Array.from({ length: 50 }, (_, number) => `<a href="/crawl/${number}">${number}</a>`);
    setTimeout(() => send(exchange, page(exchange.tail, links.join(' '))), 200).unref();
  },
};

const folder = mkdtempSync(join(tmpdir(), 'trawl-cli-'));
let web: Web;
let service: RunningService;
let folders = 0;

before(async () => {
  web = await startWeb({ 'cli.test': SITE });
  service = await startServiceWith(web, { TRAWL_INDEX_MANUAL: 'on' });
});
after(async () => {
  await service?.stop();
  await web?.stop();
  rmSync(folder, { recursive: true });
});

const url = (path: string) => web.url('cli.test', path);
const newFolder = () => join(folder, `${++folders}`);

/** Settings of a user whose service runs; with `dataDir` of another user. */
const settingsOf = (dataDir = service.dataDir) => ({
  ...web.settings,
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
  TRAWL_DATA_DIR: dataDir,
});
const trawl = (...args: string[]) => runTrawl(args, { env: settingsOf() });

function assertOneSentence({ err }: Ended): void {
  assert.equal(err.trimEnd().split('\n').length, 1, err);
  assert.doesNotMatch(err, /\bat .*\.ts:\d+/);
}

test('a command finds the running service, makes a key for itself once, and replaces it when it was revoked', async () => {
  const first = await trawl('scrape', url('/'));
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^# Home\n\nWelcome to the harbour\./);
  assert.match(first.err, /^Made a key for this command line .*stored it in/);
  assertOneSentence(first);
  const stored = join(folder, 'config/trawl/credentials.json');
  assert.equal(statSync(stored).mode & 0o777, 0o600);
  const key = JSON.parse(readFileSync(stored, 'utf8'))[service.url] as string;
  assert.ok(!`${first.out}${first.err}`.includes(key));

  const second = await trawl('scrape', url('/'));
  assert.deepEqual([second.code, second.err], [0, '']);
  const list = await trawl('keys', 'list');
  assert.match(list.out, new RegExp(`^${key.slice(0, 11)}\\.\\.\\. +default .* command line$`, 'm'));

  assert.equal((await trawl('keys', 'revoke', key.slice(0, 11))).code, 0);
  const third = await trawl('scrape', url('/'));
  assert.equal(third.code, 0);
  assert.match(third.err, /^Made a key/);
});

test('`console` prints a link that logs in once, for the service that runs', async () => {
  const logIn = async (link: string) => {
    const headers = { origin: service.url, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ link }) };
    return (await fetch(`${service.url}/console/session`, init)).status;
  };
  const printed = await trawl('console');
  assert.equal(printed.code, 0, printed.err);
  assert.ok(printed.out.startsWith(`${service.url}/#login=`), printed.out);
  assert.match(printed.err, /^The link logs you in once, within an hour\./);
  const [, link] = /#login=(\w+)\n$/.exec(printed.out)!;
  assert.deepEqual([await logIn(link!), await logIn(link!)], [200, 401]);
  const json = await trawl('console', '--json');
  assert.match(JSON.parse(json.out).url, /#login=\w+$/);
  const alone = await runTrawl(['console'], { env: settingsOf(newFolder()) });
  assert.deepEqual([alone.code, alone.out], [2, '']);
  assert.match(alone.err, /^No service runs on this data folder\. Start one/);
  assertOneSentence(alone);
});

test('JSON, files and folders', async () => {
  const json = await trawl('scrape', url('/'), '--json', '--formats', 'markdown,links');
  const { success, data } = JSON.parse(json.out);
  assert.deepEqual([success, data.links], [true, [url('/about')]]);

  const file = join(newFolder(), 'deep', 'page.md');
  const written = await trawl('scrape', url('/about'), '-o', file);
  assert.deepEqual([written.code, written.out], [0, '']);
  assert.match(readFileSync(file, 'utf8'), /^# About\n/);
  assert.deepEqual(readdirSync(join(file, '..')), ['page.md']);

  const target = newFolder();
  const urls = `# comment\n${url('/')}\n\n${url('/about')}\nhttp://nowhere.invalid/\n`;
  const several = await runTrawl(['scrape', '-', '-o', `${target}/`], { env: settingsOf(), input: urls });
  assert.equal(several.code, 4, several.err);
  assert.match(several.err, /nowhere\.invalid/);
  const names = readdirSync(target, { recursive: true }).filter((name) => `${name}`.endsWith('.md'));
  assert.equal(names.length, 2);

  mkdirSync(join(target, 'taken.md'));
  const raw = await trawl('scrape', url('/'), '--formats', 'rawBase64');
  assert.match(raw.out, /^<!doctype html>/, 'a single file goes to a pipe as it is');
});

test('several pages to standard output are told apart', async () => {
  const { code, out } = await trawl('scrape', url('/'), url('/about'), '--quiet');
  assert.equal(code, 0);
  assert.ok(out.includes(url('/')) && out.includes('# Home') && out.includes('# About'));
});

test('map lists URLs, search finds', async () => {
  const map = await trawl('map', url('/'));
  assert.equal(map.code, 0, map.err);
  assert.ok(map.out.split('\n').includes(url('/about')), map.out);
  const limited = JSON.parse((await trawl('map', url('/'), '--limit', '1', '--json')).out);
  assert.equal(limited.links.length, 1);

  const found = await trawl('search', 'crawl', 'a', 'site', 'by', 'its', 'sitemaps', '--limit', '3');
  assert.equal(found.code, 0, found.err);
  assert.match(found.out, /^1\. \[.+\]\(http.+\/docs\/.+\)\n {3}\S/);
});

test('each failure is one sentence and has its exit code', async () => {
  const cases: [args: string[], code: number, expected: RegExp][] = [
    [['scrape', 'http://nowhere.invalid/'], 1, /could not be resolved/],
    [['scrape', url('/'), '--timeout', '1'], 1, /--timeout must be at least 1000/],
    [['scrape', url('/gone')], 1, /answered with the status 404/],
    [['scrape'], 2, /There is no URL/],
    [['scrape', url('/'), '--formatz', 'x'], 2, /Did you mean --formats\?/],
    [['scap', url('/')], 2, /Did you mean scrape\?/],
    [['scrape', url('/'), '-o', '/dev/null/x.md'], 2, /cannot be written/],
    [['scrape', url('/'), '--url', 'http://127.0.0.1:1'], 3, /cannot be reached/],
    [['scrape', url('/'), '--key', 'fc-wrong-key-of-mine'], 3, /TRAWL_API_KEY/],
    [['scrape', url('/'), '--url', service.url.replace('127.0.0.1', 'localhost')], 3, /trawl keys add/],
  ];
  for (const [args, code, expected] of cases) {
    const ended = await trawl(...args);
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.err}`);
    assert.match(ended.err, expected);
    assertOneSentence(ended);
    assert.doesNotMatch(ended.err, /fc-wrong/);
  }
});

test('a reader who leaves ends the command quietly', async () => {
  const { child, ended } = startTrawl(['scrape', url('/long')], { env: settingsOf() });
  child.stdout!.once('data', () => child.stdout!.destroy());
  const { code, err } = await ended;
  assert.deepEqual([code, err], [0, '']);
});

/** What a terminal of its own shows; undefined if there is no program that gives one. */
async function onTerminal(t: TestContext, args: readonly string[]): Promise<string | undefined> {
  const line = [process.execPath, TRAWL, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], { env: { ...PROGRAM_ENV, ...settingsOf() } });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    shown += part;
  });
  child.stdin.end();
  try {
    await once(child, 'close');
    return shown;
  } catch {
    t.skip('the program `script` is not installed');
    return undefined;
  }
}

test('a page cannot control the terminal, and progress is shown only there', async (t) => {
  const shown = await onTerminal(t, ['scrape', url('/hostile')]);
  if (shown === undefined) return;
  assert.match(shown, /Before .*after\./);
  assert.doesNotMatch(shown, /[\u001b\u0007\u009b]/);
  const piped = await trawl('scrape', url('/hostile'));
  assert.ok(piped.out.includes('\u001b'), 'a pipe gets the page as it is');

  const several = (await onTerminal(t, ['scrape', url('/'), url('/about')]))!;
  assert.ok(several.includes('Scraping  [') && several.includes('\u001b[2K'), several);
  assert.doesNotMatch((await trawl('scrape', url('/'), url('/about'))).err, /Scraping/);
});

test('without a service, a command runs its own and leaves nothing running', async () => {
  const dataDir = newFolder();
  const env = settingsOf(dataDir);
  // What a killed service has left.
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'service.json'), JSON.stringify({ url: service.url, pid: service.pid, needsKey: false }));
  writeFileSync(join(dataDir, 'lock.pid'), `${service.pid}\n`);
  const before = web.requests('cli.test', '/');
  const alone = await runTrawl(['scrape', url('/')], { env });
  assert.deepEqual([alone.code, alone.err], [0, ''], alone.err);
  assert.match(alone.out, /^# Home/);
  assert.equal(web.requests('cli.test', '/'), before + 1, 'it has a cache of its own');
  assert.ok(!existsSync(join(dataDir, 'service.json')));
  assert.ok(!isFolderInUse(dataDir));

  // A second command while the first still runs, which then is interrupted.
  const stuck = startTrawl(['scrape', url('/stuck')], { env });
  while (slowVisits === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const beside = await runTrawl(['scrape', url('/about')], { env });
  assert.equal(beside.code, 0, beside.err);
  assert.match(beside.err, /^Another command is using the data folder .* temporary folder\.\n$/);
  assert.match(beside.out, /^# About/);
  stuck.child.kill('SIGINT');
  const { code, out, err } = await stuck.ended;
  assert.deepEqual([code, out, err], [130, '', '']);
  assert.ok(!isFolderInUse(dataDir));
});

test('a command does not continue stored work', async () => {
  const other = await startServiceWith(web, { TRAWL_DATA_DIR: newFolder() });
  const { body } = await other.post<{ id: string }>('/v2/crawl', { url: url('/crawl/0'), limit: 50 });
  while (web.requests('cli.test') === 0 || web.requests('cli.test', '/crawl/0') === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await other.kill();
  const crawled = () => Array.from({ length: 50 }, (_, number) => web.requests('cli.test', `/crawl/${number}`));
  const before = crawled();
  const env = settingsOf(other.dataDir);
  assert.equal((await runTrawl(['scrape', url('/about')], { env })).code, 0);
  assert.deepEqual(crawled(), before);
  await other.stop();
  const again = await startServiceWith(web, { TRAWL_DATA_DIR: other.dataDir, TRAWL_API_KEY: other.key });
  const status = (await (await again.fetch(`/v2/crawl/${body.id}`)).json()) as { status: string };
  await again.stop();
  assert.ok(['scraping', 'completed'].includes(status.status), JSON.stringify(status));
});

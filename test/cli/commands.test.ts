// The commands as their user types them: with a service that runs, and without one.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFolderInUse } from '../../src/store/data-folder/folder-lock.ts';
import { fullTest, test } from '../support/full-run.ts';
import { runTrawl, startTrawl } from '../support/run-trawl.ts';
import { assertOneSentence, useCommands } from './commands-stage.ts';

const stage = useCommands();
const { folder, url, newFolder, settingsOf, trawl, trawlHere } = stage;

test('a command finds the running service, makes a key for itself once, and replaces it when it was revoked', async () => {
  const first = await trawl('scrape', url('/'));
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^# Home\n\nWelcome to the harbour\./);
  assert.match(first.err, /^Made a key for this command line .*stored it in/);
  assertOneSentence(first);
  const stored = join(folder, 'config/trawl/credentials.json');
  assert.equal(statSync(stored).mode & 0o777, 0o600);
  const key = JSON.parse(readFileSync(stored, 'utf8'))[stage.service.url] as string;
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

fullTest('`console` prints a link that logs in once, for the service that runs', async () => {
  const logIn = async (link: string) => {
    const headers = { origin: stage.service.url, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ link }) };
    return (await fetch(`${stage.service.url}/console/session`, init)).status;
  };
  const printed = await trawl('console');
  assert.equal(printed.code, 0, printed.err);
  assert.ok(printed.out.startsWith(`${stage.service.url}/#login=`), printed.out);
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
  const json = await trawlHere('scrape', url('/'), '--json', '--formats', 'markdown,links');
  const { success, data } = JSON.parse(json.out);
  assert.deepEqual([success, data.links], [true, [url('/about')]]);

  const file = join(newFolder(), 'deep', 'page.md');
  const written = await trawlHere('scrape', url('/about'), '-o', file);
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
  const raw = await trawlHere('scrape', url('/'), '--formats', 'rawBase64');
  assert.match(raw.out, /^<!doctype html>/, 'a single file goes to a pipe as it is');
});

test('several pages to standard output are told apart', async () => {
  const { code, out } = await trawlHere('scrape', url('/'), url('/about'), '--quiet');
  assert.equal(code, 0);
  assert.ok(out.includes(url('/')) && out.includes('# Home') && out.includes('# About'));
});

test('map lists URLs, search finds', async () => {
  const map = await trawlHere('map', url('/'));
  assert.equal(map.code, 0, map.err);
  assert.ok(map.out.split('\n').includes(url('/about')), map.out);
  const limited = JSON.parse((await trawlHere('map', url('/'), '--limit', '1', '--json')).out);
  assert.equal(limited.links.length, 1);

  const found = await trawlHere(
    'search',
    'crawl',
    'a',
    'site',
    'by',
    'its',
    'sitemaps',
    'site:127.0.0.1',
    '--limit',
    '3',
  );
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
    [['scrape', url('/'), '--url', stage.service.url.replace('127.0.0.1', 'localhost')], 3, /trawl keys add/],
  ];
  for (const [args, code, expected] of cases) {
    const ended = await trawlHere(...args);
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

fullTest('without a service, a command runs its own and leaves nothing running', async () => {
  const dataDir = newFolder();
  const env = settingsOf(dataDir);
  // What a killed service has left.
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(
    join(dataDir, 'service.json'),
    JSON.stringify({ url: stage.service.url, pid: stage.service.pid, needsKey: false }),
  );
  writeFileSync(join(dataDir, 'lock.pid'), `${stage.service.pid}\n`);
  const before = stage.web.requests('cli.test', '/');
  const alone = await runTrawl(['scrape', url('/')], { env });
  assert.deepEqual([alone.code, alone.err], [0, ''], alone.err);
  assert.match(alone.out, /^# Home/);
  assert.equal(stage.web.requests('cli.test', '/'), before + 1, 'it has a cache of its own');
  assert.ok(!existsSync(join(dataDir, 'service.json')));
  assert.ok(!isFolderInUse(dataDir));
});

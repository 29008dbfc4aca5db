// Commands on a terminal, beside other commands, and on a data folder with unfinished work.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { isFolderInUse } from '../../src/store/data-folder/folder-lock.ts';
import { PROGRAM_ENV } from '../support/program.ts';
import { runTrawl, startTrawl, TRAWL } from '../support/run-trawl.ts';
import { startServiceWith } from '../support/service.ts';
import { useCommands } from './commands-stage.ts';

const stage = useCommands();
const { url, newFolder, settingsOf, trawl } = stage;

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

test('a command beside another one that runs its own service takes a temporary folder, and an interrupt ends it', async () => {
  const dataDir = newFolder();
  const env = settingsOf(dataDir);
  const stuck = startTrawl(['scrape', url('/stuck')], { env });
  while (stage.web.requests('cli.test', '/stuck') === 0) await new Promise((resolve) => setTimeout(resolve, 20));
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
  const other = await startServiceWith(stage.web, { TRAWL_DATA_DIR: newFolder() });
  const { body } = await other.post<{ id: string }>('/v2/crawl', { url: url('/crawl/0'), limit: 50 });
  while (stage.web.requests('cli.test') === 0 || stage.web.requests('cli.test', '/crawl/0') === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await other.kill();
  const crawled = () => Array.from({ length: 50 }, (_, number) => stage.web.requests('cli.test', `/crawl/${number}`));
  const before = crawled();
  const env = settingsOf(other.dataDir);
  assert.equal((await runTrawl(['scrape', url('/about')], { env })).code, 0);
  assert.deepEqual(crawled(), before);
  await other.stop();
  const again = await startServiceWith(stage.web, { TRAWL_DATA_DIR: other.dataDir, TRAWL_API_KEY: other.key });
  const status = (await (await again.fetch(`/v2/crawl/${body.id}`)).json()) as { status: string };
  await again.stop();
  assert.ok(['scraping', 'completed'].includes(status.status), JSON.stringify(status));
});

// Long work whose command is interrupted, whose service is killed, or which needs a service of its own or a browser.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { until } from '../support/jobs.ts';
import { runTrawl, startTrawl } from '../support/run-trawl.ts';
import { startServiceWith } from '../support/service.ts';
import { held, INTERRUPTED, linesOf, markdownIn, useLongCommands } from './long-commands-stage.ts';

const stage = useLongCommands({ TRAWL_BROWSER: 'auto', TRAWL_BROWSER_EXECUTE: 'on' });
const { folder, settings, start, trawl, succeed } = stage;

test('a crawl goes on after Ctrl-C, and the command says how to see it again', async () => {
  held.set('left.test', Promise.withResolvers());
  const following = start(['crawl', stage.web.url('left.test'), '-o', join(folder, 'left/')]);
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

test('a crawl to a folder survives a kill of the service, and every page is written once', async () => {
  held.set('folder.test', Promise.withResolvers());
  const pages = join(folder, 'pages/');
  const following = start(['crawl', stage.web.url('folder.test'), '-o', pages, '--formats', 'markdown,links']);
  await until(
    () => markdownIn(pages),
    (names) => names.length >= 2,
  );
  const { port } = new URL(stage.service.url);
  await stage.service.kill();
  await until(
    async () => following.text.err,
    (err) => err.includes('Trying again.'),
  );
  held.get('folder.test')!.resolve();
  stage.service = await startServiceWith(stage.web, { ...settings, TRAWL_PORT: port });
  const { code, err } = await following.ended;
  assert.equal(code, 0, err);
  assert.match(err, /The service answers again\.\n12 pages, 12 credits, [\d.]+ s\. They are in .*pages\/\.\n/);
  const names = await readdir(pages, { recursive: true });
  assert.equal(names.filter((name) => name.endsWith('.md')).length, 12);
  assert.equal(names.filter((name) => name.endsWith('.json')).length, 12);
  const start_ = await readFile(join(pages, `folder.test_${stage.web.port}`, 'index.md'), 'utf8');
  assert.match(start_, /^---\nurl: "http:\/\/folder\.test:\d+\/"\ntitle: "Start of folder\.test"\n---\n\n/);
});

test('a crawl with a service of its own is paused by Ctrl-C and continues with resume', async () => {
  held.set('embedded.test', Promise.withResolvers());
  const env = {
    ...stage.web.settings,
    HOME: folder,
    TRAWL_DATA_DIR: join(folder, 'own'),
    TRAWL_BROWSER: 'off',
    TRAWL_INDEX_MANUAL: 'off',
  };
  const pages = join(folder, 'own-pages/');
  const first = startTrawl(['crawl', stage.web.url('embedded.test'), '-o', pages], { env });
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
    ['crawl', stage.web.url('embedded.test'), '--no-wait'],
    ['monitor', 'create', stage.web.url('embedded.test'), '--every', 'hour'],
    ['browser', 'open'],
  ]) {
    const refused = await runTrawl(args, { env });
    assert.equal(refused.code, 2, refused.err);
    assert.match(refused.err, /running service.*`trawl serve`/);
    assert.equal(linesOf(refused.err).length, 1, refused.err);
  }
});

test('a browser session is opened, used and closed', NEEDS_BROWSER, async () => {
  const { id, cdpUrl } = JSON.parse((await succeed('browser', 'open', '--ttl', '120', '--json')).out);
  assert.match(cdpUrl, /^ws:/);
  assert.match((await succeed('browser', 'list', '--status', 'active')).out, new RegExp(`^${id} +active`, 'm'));
  const code = `await page.goto(${JSON.stringify(stage.web.url('list.test', '/p/1'))}); await page.title()`;
  const ran = await trawl('browser', 'exec', id, '--code', code);
  // Without a sandbox of the system, the service refuses in a sentence.
  if (ran.code === 0) assert.match(ran.out, /Page 1/);
  else assert.match(ran.err, /sandbox/i);
  assert.equal((await trawl('browser', 'exec', id)).code, 2);
  assert.match((await succeed('browser', 'close', id)).err, /The session has ended/);
});

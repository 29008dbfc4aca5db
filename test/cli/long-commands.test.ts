// The commands of long work against a running service: crawl, batch, parse, extract, agent, monitor.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import { ROOT } from '../support/program.ts';
import { broken, held, linesOf, markdownIn, PARTLY, UUID, useLongCommands } from './long-commands-stage.ts';

const stage = useLongCommands();
const { folder, start, trawl, succeed } = stage;

describe('crawl', { concurrency: 3 }, () => {
  test('writes each page to a folder as it arrives, prints it, and names what failed', async () => {
    broken.add('printed.test/p/2');
    const url = stage.web.url('printed.test');
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

  fullTest('can be paused, resumed, extended, exported and cancelled', async () => {
    held.set('control.test', Promise.withResolvers());
    const started = await succeed('crawl', stage.web.url('control.test'), '--limit', '5', '--no-wait');
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
});

describe('other commands', { concurrency: 3 }, () => {
  fullTest('a batch takes a list from standard input, with comments, duplicates and nonsense', async () => {
    const url = (path: string) => stage.web.url('list.test', path);
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

  fullTest('local files become Markdown', async () => {
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

  fullTest('an extraction prints its data, also without a language model', async () => {
    const file = join(folder, 'schema.json');
    await writeFile(file, JSON.stringify(schema));
    const url = stage.web.url('list.test', '/p/5');
    const { out, err } = await succeed('extract', url, '--schema', `@${file}`, '--sources');
    assert.equal(typeof JSON.parse(out), 'object', err);
    const id = (await succeed('extract', url, '--schema', `@${file}`, '--no-wait')).out.trim();
    assert.deepEqual(JSON.parse((await succeed('extract', 'follow', id)).out), JSON.parse(out));
    assert.equal(JSON.parse((await succeed('extract', 'status', id, '--json')).out).status, 'completed');
    assert.equal((await trawl('extract')).code, 2);
  });

  fullTest('an agent works without a language model, and its steps can be read', async () => {
    const url = stage.web.url('list.test', '/p/5');
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

  fullTest('a monitor is created, checked, changed, paused and deleted', async () => {
    const url = stage.web.url('list.test', '/p/1');
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
});

// `npm run demo`: the tour gives what it promises and leaves nothing behind, however it ends.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertNothingIsLeft, processesWith, startDemo } from './support/run-demo.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-demo-test-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('the whole tour passes its checks, prints no colours into a pipe and nothing wide, and leaves nothing', async () => {
  const demo = startDemo(folder, []);
  assert.equal(await demo.ended, 0, demo.output());
  const output = demo.output();
  assert.match(output, /✓ \d+ checks passed, 0 failed/);
  for (const path of ['scrape', 'parse', 'map', 'crawl', 'search']) {
    assert.match(output, new RegExp(`\\$ curl -s http://127\\.0\\.0\\.1:\\d+/v2/${path} `));
  }
  assert.match(output, /pages of the log +62\n.*\n +in the result +62\n +in the result twice +0/);
  assert.ok(!output.includes('\x1b'));
  const wide = output
    .split('\n')
    .filter((line) => line.length > 100 && !line.includes('/files/') && !line.includes(folder));
  assert.deepEqual(wide, []);
  assertNothingIsLeft(folder);
});

test('Ctrl-C in the middle ends everything', async () => {
  const demo = startDemo(folder, ['kill']);
  await demo.shows('$ kill -9');
  demo.child.kill('SIGINT');
  assert.equal(await demo.ended, 130, demo.output());
  assertNothingIsLeft(folder);
});

test('a step that fails makes the demo fail, with a sentence', async () => {
  const demo = startDemo(folder, ['map', '--pause']);
  await demo.shows('Press Enter');
  for (const id of processesWith(folder)) {
    if (Number(id) !== demo.child.pid) process.kill(Number(id), 'SIGKILL');
  }
  demo.child.stdin!.write('\n');
  assert.equal(await demo.ended, 1, demo.output());
  assert.match(demo.output(), /✗ The step has failed: fetch failed/);
  assert.match(demo.output(), /0 checks passed, 1 failed/);
  assertNothingIsLeft(folder);
});

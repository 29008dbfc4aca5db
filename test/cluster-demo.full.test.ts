// `npm run cluster` without its engines: one Trawl crawls, and nothing is left behind, also after Ctrl-C.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';

const RUN = join(import.meta.dirname, '../scripts/cluster/run.ts');
const ALONE = ['postgresql', 'opensearch', 'seaweedfs'].flatMap((name) => ['--without', name]);

function start(t: TestContext, args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-cluster-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [RUN, ...args], { env: { ...process.env, TMPDIR: folder } });
  t.after(() => child.kill('SIGKILL'));
  return { child, folder, output: text(child.stdout), errors: text(child.stderr), exited: once(child, 'exit') };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('it crawls, says what came of it, and leaves nothing behind', async (t) => {
  const { folder, output, errors, exited } = start(t, [...ALONE, '--once', '--pages', '8']);
  const [code] = await exited;
  assert.equal(code, 0, await errors);
  const said = await output;
  assert.match(said, /trawl-1 +http:\/\/127\.0\.0\.1:\d+ +process \d+/);
  assert.match(said, /All crawls have ended: 48 pages/);
  assert.match(said, /no host got too many requests/);
  assert.ok(!isAlive(Number(/process (\d+)/.exec(said)![1])));
  assert.deepEqual(readdirSync(folder), []);
});

test('Ctrl-C ends everything in the middle; with --keep, the data and the log stay', async (t) => {
  const { child, folder, output, exited } = start(t, [...ALONE, '--pages', '2000', '--keep']);
  let said = '';
  let isInterrupted = false;
  child.stdout.on('data', (chunk) => {
    said += chunk;
    if (isInterrupted || !said.includes('have been started')) return;
    isInterrupted = child.kill('SIGINT');
  });
  const [code] = await exited;
  assert.equal(code, 0);
  const log = /log (\S+)/.exec(await output)![1]!;
  assert.ok(existsSync(log) && existsSync(join(dirname(log), 'trawl-1/data/store.db')), log);
  assert.ok(log.startsWith(folder));
  assert.ok(!isAlive(Number(/process (\d+)/.exec(said)![1])));
});

test('what it does not know is explained', async (t) => {
  for (const args of [['--nodes', '2'], ['--without', 'oracle'], ['--pages', 'many'], ['--fast']]) {
    const { exited, errors } = start(t, args);
    assert.equal((await exited)[0], 1);
    assert.match(await errors, /npm run cluster -- /);
  }
});

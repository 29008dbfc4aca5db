// The test command, run on a small project whose files pass, fail, crash, hang or leave a process behind.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { slowFirst } from '../../../scripts/test/order.ts';
import slowFiles from '../../../scripts/test/slow-files.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../../..');
const COMMAND = join(ROOT, 'scripts/test.ts');
let project: string;

const FILES = {
  good: `test('adds', () => {}); test('later', { skip: true }, () => {}); describe('group', () => { it('inside', () => {}); });`,
  bad: `test('outer', async (t) => { await t.test('inner breaks', () => { throw new Error('the reason'); }); });`,
  crash: `test('fine', () => {}); process.exit(3);`,
  hang: `test('never ends', () => new Promise(() => setInterval(() => {}, 1000)));`,
  leftover: `test('starts a child', () => {
    const child = spawn('sleep', ['300'], { stdio: 'inherit' });
    child.unref();
    writeFileSync(new URL('pid', import.meta.url), String(child.pid));
  });`,
  nothing: `export {};`,
  told: `const { TRAWL_TEST_LONG: long, TRAWL_TEST_SEED: seed } = process.env;
  test('environment', () => { throw new Error(\`long \${long}, seed \${seed}\`); });`,
};

before(() => {
  project = mkdtempSync(join(tmpdir(), 'trawl-test-command-'));
  mkdirSync(join(project, 'test'));
  mkdirSync(join(project, 'src/deep'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  const head = `import { describe, it, test } from 'node:test';\nimport { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';\n`;
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, `test/${name}.test.ts`), head + text);
});
after(() => rmSync(project, { recursive: true, force: true }));

const { TRAWL_TEST_LONG: _long, TRAWL_TEST_SEED: _seed, ...env } = process.env;

const run = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(process.execPath, [COMMAND, ...args], { cwd: project, env }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, output: stdout }),
    );
  });

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

test('a good file is counted and named among the slowest, and the command succeeds', async () => {
  const { code, output } = await run('good');
  assert.equal(code, 0);
  assert.match(output, /Slowest of 1 files:\n +\d\.\d s {2}test\/good\.test\.ts/);
  assert.equal(lastLine(output), '2 passed, 0 failed, 1 skipped');
});

test('a failure is printed with its line and reason, and the command fails', async () => {
  const { code, output } = await run('bad', 'good');
  assert.equal(code, 1);
  assert.match(output, /✖ test\/bad\.test\.ts:\d+ {2}inner breaks\n +Error: the reason/);
  assert.equal(lastLine(output), '2 passed, 2 failed, 1 skipped');
});

test('a file that crashes, hangs or has no test counts as failed', async () => {
  const crash = await run('crash');
  assert.equal(crash.code, 1);
  assert.match(crash.output, /ended with code 3/);
  const hang = await run('--timeout=2', 'hang');
  assert.equal(hang.code, 1);
  assert.match(hang.output, /did not end within 2 s/);
  const nothing = await run('nothing');
  assert.equal(nothing.code, 1);
  assert.match(nothing.output, /has no test/);
});

test('a pattern that matches no file fails', async () => {
  const { code, output } = await run('no-such-file');
  assert.equal(code, 1);
  assert.match(output, /No test ran: no file matches no-such-file/);
});

test('processes that a test file leaves running are ended', async () => {
  const { code } = await run('leftover');
  assert.equal(code, 0);
  const pid = Number(readFileSync(join(project, 'test/pid'), 'utf8'));
  assert.equal(isRunning(pid), false);
});

test('a long run tells the test files, and prints a seed that repeats it', async () => {
  const { output } = await run('--long', 'told');
  const [, seed] = /Error: long 1, seed (\d+)/.exec(output) ?? [];
  assert.ok(seed, output);
  assert.ok(output.includes(`--seed=${seed}.`), output);
  assert.match((await run('--seed=7', 'told')).output, /Error: long undefined, seed 7\n/);
});

test('with --watch, the files run again after a change until the command is interrupted', {
  timeout: 120_000,
}, async (t) => {
  const command = spawn(process.execPath, [COMMAND, '--watch', 'good'], { cwd: project });
  t.after(() => command.kill('SIGKILL'));
  const ended = once(command, 'close');
  let output = '';
  command.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const runsEnded = async (times: number) => {
    while (output.split('Waiting for changes').length <= times) await once(command.stdout, 'data');
  };
  await runsEnded(1);
  const change = join(project, 'src/deep/change.ts');
  writeFileSync(change, 'export {};');
  await runsEnded(2);
  writeFileSync(change, 'export const changed = true;');
  await runsEnded(3);
  assert.ok(output.match(/^2 passed, 0 failed, 1 skipped$/gm)!.length >= 3, output);
  command.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
});

test('slow files come first, the others in the order of their names', () => {
  assert.deepEqual(slowFirst(['c', 'a', 'd', 'b'], ['d', 'gone', 'b']), ['d', 'b', 'a', 'c']);
  assert.deepEqual(
    slowFiles.filter((file) => !existsSync(join(ROOT, file))),
    [],
    'scripts/test/slow-files.json names files that do not exist',
  );
});

/** A process that has ended but was not collected by its parent yet counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

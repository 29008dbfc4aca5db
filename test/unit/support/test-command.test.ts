// The test command, run over small projects that pass, fail, crash, hang or leave something behind.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const COMMAND = join(import.meta.dirname, '../../../scripts/test.ts');
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
};

before(() => {
  project = mkdtempSync(join(tmpdir(), 'trawl-test-command-'));
  mkdirSync(join(project, 'test'));
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  const head = `import { describe, it, test } from 'node:test';\nimport { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';\n`;
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, `test/${name}.test.ts`), head + text);
});
after(() => rmSync(project, { recursive: true, force: true }));

const run = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(process.execPath, [COMMAND, '--timeout=5', ...args], { cwd: project }, (_error, stdout) =>
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

test('a failure is shown with its place and reason, and the command fails', async () => {
  const { code, output } = await run('bad', 'good');
  assert.equal(code, 1);
  assert.match(output, /✖ test\/bad\.test\.ts:\d+ {2}inner breaks\n +Error: the reason/);
  assert.equal(lastLine(output), '2 passed, 2 failed, 1 skipped');
});

test('a file that crashes, hangs or holds no test counts as failed', async () => {
  const crash = await run('crash');
  assert.equal(crash.code, 1);
  assert.match(crash.output, /ended with code 3/);
  const hang = await run('--timeout=1', 'hang');
  assert.equal(hang.code, 1);
  assert.match(hang.output, /did not end within 1 s/);
  const nothing = await run('nothing');
  assert.equal(nothing.code, 1);
  assert.match(nothing.output, /has no test/);
});

test('a pattern that matches no file fails', async () => {
  const { code, output } = await run('no-such-file');
  assert.equal(code, 1);
  assert.match(output, /No test ran: no file matches no-such-file/);
});

test('what a test file leaves running is ended with it', async () => {
  const { code } = await run('leftover');
  assert.equal(code, 0);
  const pid = Number(readFileSync(join(project, 'test/pid'), 'utf8'));
  assert.equal(isRunning(pid), false);
});

/** A process that has ended but was not collected by its parent yet counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

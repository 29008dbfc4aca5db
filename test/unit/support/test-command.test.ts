// The test command, run on a small project whose files pass, fail, crash, hang, disturb each other or leave a process behind.
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { reachableFrom, readImportGraph, readModule } from '../../../scripts/test/import-graph.ts';
import { ownProcessReason } from '../../../scripts/test/isolation.ts';
import { partOf } from '../../../scripts/test/parts.ts';
import { createProcessGroups } from '../../../scripts/test/process-group.ts';
import { createProgress } from '../../../scripts/test/progress.ts';
import { longestFirst, runQueue, shardOf } from '../../../scripts/test/queue.ts';
import { startWorker } from '../../../scripts/test/worker.ts';
import { fullTest, test } from '../../support/full-run.ts';

const ROOT = join(import.meta.dirname, '../../..');
const COMMAND = join(ROOT, 'scripts/test.ts');
let project: string;

const FILES = {
  good: `test('adds', () => {}); test('later', { skip: true }, () => {}); describe('group', () => { it('inside', () => {}); });`,
  bad: `test('outer', async (t) => { await t.test('inner breaks', () => { throw new Error('the reason'); }); });`,
  crash: `test('fine', () => {}); setImmediate(() => process.reallyExit(3));`,
  hang: `test('never ends', () => new Promise(() => setInterval(() => {}, 1000)));`,
  open: `test('leaves a timer', () => void setInterval(() => {}, 1000));`,
  leftover: `test('starts a child', () => {
    const child = spawn('sleep', ['300'], { stdio: 'inherit' });
    child.unref();
    writeFileSync(new URL('pid', import.meta.url), String(child.pid));
  });`,
  nothing: `export {};`,
  told: `const { TRAWL_TEST_LONG: long, TRAWL_TEST_SEED: seed } = process.env;
  test('environment', () => { throw new Error(\`long \${long}, seed \${seed}\`); });`,
  // The first of them makes the second fail, if they share a process: by something that nobody recognises.
  'pair/first': `Array.isSpoilt = true; test('spoils', () => {});`,
  'pair/second': `test('is spoilt', () => { if (Array.isSpoilt) throw new Error('spoilt'); });`,
  'hooks/first': `before(() => { process.hooked = 'first'; }); after(() => { process.hooked = 'over'; });
  test('has its hook', () => { if (process.hooked !== 'first') throw new Error(process.hooked); });`,
  'hooks/second': `test('has none of another file', () => { if (process.hooked === 'first') throw new Error('hooked'); });`,
  'own/exits': `import { say } from '../say.ts'; test('says', () => { say(); });`,
  'tier/quick': `test('quick', () => {});`,
  'tier/slow.full': `test('slow', () => {});`,
  'tier/divided': `import { fullTest, test as both } from '../support/full-run.ts';
  both('first', () => {}); both('second', () => {}); fullTest('third', () => {});`,
  'uses/deep': `import '../../src/deep/outer.ts'; test('deep', () => {});`,
  'uses/type': `import type { Inner } from '../../src/deep/inner.ts'; test('type', () => { const x: Inner = 1; });`,
  'uses/data': `const file = new URL('../../data/list.json', import.meta.url); test('data', () => { file; });`,
  'uses/nothing': `test('nothing', () => {});`,
};
const OTHERS = {
  'package.json': '{"type":"module"}',
  '.gitignore': 'node_modules\npid\n',
  'data/list.json': '[]',
  'src/deep/inner.ts': 'export type Inner = number; export const inner: Inner = 1;',
  'src/deep/outer.ts': `export { inner } from './inner.ts';`,
  'test/support/full-run.ts': `export * from '${ROOT}/test/support/full-run.ts';`,
  'test/say.ts': `export const say = () => process.on('warning', () => {});`,
};

before(() => {
  project = mkdtempSync(join(tmpdir(), 'trawl-test-command-'));
  const head = `import { after, before, describe, it, test } from 'node:test';\nimport { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';\n`;
  const tests = Object.entries(FILES).map(([name, text]) => [`test/${name}.test.ts`, head + text] as const);
  for (const [name, text] of [...Object.entries(OTHERS), ...tests]) write(name, text);
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '--quiet', '--message=First');
});
after(() => rmSync(project, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: project });

const { TRAWL_TEST_LONG: _long, TRAWL_TEST_SEED: _seed, ...env } = process.env;

const run = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(process.execPath, [COMMAND, ...args], { cwd: project, env }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, output: stdout }),
    );
  });

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

test('a good file is counted, the time of its folder is shown, and the command succeeds', async () => {
  const { code, output } = await run('good');
  assert.equal(code, 0);
  assert.match(output, / +CPU s +wall s +files\n +\d+\.\d +\d+\.\d +1 {2}test\n/);
  assert.match(output, /^1 files in \d+\.\d s, \d+\.\d s of CPU time$/m);
  assert.equal(lastLine(output), '2 passed, 0 failed, 1 skipped');
});

test('a failure is printed with its line and reason, and the command fails', async () => {
  const { code, output } = await run('bad', 'good');
  assert.equal(code, 1);
  assert.match(output, /✖ test\/bad\.test\.ts:\d+ {2}inner breaks\n +Error: the reason/);
  assert.equal(output.match(/inner breaks/g)!.length, 1, 'although the file ran twice, once alone');
  assert.equal(lastLine(output), '2 passed, 2 failed, 1 skipped');
});

fullTest('a file that crashes, hangs, leaves something open or has no test counts as failed', async () => {
  const crash = await run('crash');
  assert.equal(crash.code, 1);
  assert.match(crash.output, /ended with code 3/);
  const hang = await run('--timeout=2', 'hang');
  assert.equal(hang.code, 1);
  assert.match(hang.output, /did not end within 2 s/);
  const open = await run('--timeout=2', 'test/open');
  assert.equal(open.code, 1);
  assert.match(open.output, /did not end within 2 s: one of 1 files left something open/);
  const nothing = await run('test/nothing');
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

test('files that share a process have their own hooks, and one that fails only beside others has failed', async () => {
  const hooks = await run('--jobs=1', 'hooks/');
  assert.equal(lastLine(hooks.output), '2 passed, 0 failed', hooks.output);
  const pair = await run('--jobs=1', 'pair/');
  assert.equal(pair.code, 1);
  assert.match(
    pair.output,
    /second\.test\.ts:4 {2}is spoilt \(passes alone; failed in one process after .*first\.test\.ts\)/,
  );
  assert.equal(lastLine((await run('pair/second')).output), '1 passed, 0 failed');
});

test('a file that changes something its whole process shares is recognised, also by what it loads', () => {
  const graph = new Map(
    Object.entries({
      'test/env.test.ts': `process.env.HOME = '/';`,
      'test/compares.test.ts': `if (process.env.HOME === '/') ok();`,
      'test/timers.test.ts': `t.mock.timers.enable();`,
      'test/loads.test.ts': `import { say } from './say.ts';`,
      'test/loads-type.test.ts': `import type { Say } from './say.ts';`,
      'test/support/full-run.ts': `export * from '${ROOT}/test/support/full-run.ts';`,
      'test/say.ts': `process.on('SIGTERM', () => {});`,
      'test/ends-children.ts': `process.once('exit', () => child.kill());`,
    }).map(([path, text]) => [path, readModule(path, text)]),
  );
  const reasons = [...graph.keys()].map((path) => [path, ownProcessReason(path, graph)]);
  assert.deepEqual(Object.fromEntries(reasons), {
    'test/env.test.ts': 'changes the environment',
    'test/compares.test.ts': undefined,
    'test/timers.test.ts': 'replaces timers or globals',
    'test/loads.test.ts': 'test/say.ts listens to the process',
    'test/loads-type.test.ts': undefined,
    'test/say.ts': 'listens to the process',
    'test/support/full-run.ts': undefined,
    'test/ends-children.ts': undefined,
  });
});

test('files and cases of the full run are left out of the short one, unless they are named', async () => {
  assert.equal(lastLine((await run('tier/')).output), '5 passed, 0 failed');
  assert.equal(lastLine((await run('--rest', 'tier/')).output), '2 passed, 0 failed');
  const groups = createProcessGroups();
  const worker = startWorker({ groups, timeoutMs: 30_000, env: {}, partOf: () => 'short' });
  const { results } = await worker.run(join(project, 'test/tier/divided.test.ts'));
  assert.equal(await worker.end(), undefined);
  assert.deepEqual(
    results.map(({ name }) => name),
    ['first', 'second'],
  );
  const selected = (...args: string[]) => run('--list', ...args).then(({ output }) => output.trim().split('\n'));
  const short = await selected();
  const rest = await selected('--rest');
  assert.ok(short.includes('test/tier/quick.test.ts') && !short.includes('test/tier/slow.full.test.ts'));
  assert.deepEqual(rest, ['test/tier/divided.test.ts', 'test/tier/slow.full.test.ts']);
  // As `npm run test:full -- --rest` has it.
  assert.deepEqual(await selected('--full', '--rest'), rest);
  assert.deepEqual((await selected('--full')).toSorted(), [...new Set([...short, ...rest])].toSorted());
});

test('files of this project whose cases are divided have no others, which would run twice', () => {
  const graph = readImportGraph(['test']);
  const files = [...graph.keys()].filter((path) => partOf(path, 'rest', graph) === 'rest' && path.endsWith('.test.ts'));
  assert.ok(files.length > 10);
  const undivided = /^import \{[^}]*\btest\b[^}]*\} from 'node:test'/m;
  for (const file of files) {
    const modules = reachableFrom(graph, file, (path) => path.startsWith('test/'));
    modules.delete('test/support/full-run.ts');
    const mixed = [...modules].filter((path) => undivided.test(graph.get(path)?.text ?? ''));
    assert.deepEqual(mixed, [], `${file} has a \`fullTest\`, so these take \`test\` from test/support/full-run.ts`);
  }
});

test('shards are parts of about the same length that are everything together', async () => {
  const tasks = [8, 5, 4, 3, 2, 2].map((ms, index) => ({ name: String(index), ms }));
  const shards = [1, 2, 3].map((index) => shardOf(tasks, index, 3));
  assert.deepEqual(
    shards.map((shard) => shard.reduce((sum, { ms }) => sum + ms, 0)),
    [8, 9, 7],
  );
  assert.deepEqual(longestFirst(shards.flat()), tasks);
  const lists = await Promise.all(['1/2', '2/2'].map((shard) => run('--list', `--shard=${shard}`)));
  const files = lists.flatMap(({ output }) => output.trim().split('\n'));
  assert.deepEqual(files.toSorted(), (await run('--list')).output.trim().split('\n').toSorted());
  assert.equal((await run('--list', '--shard=3/2')).code, 1);
});

test('the longest tasks start first, new ones before them, and more at once while cores are idle', async () => {
  const tasks = [
    { name: 'short', ms: 1_000, cpuMs: 1_000 },
    { name: 'busy', ms: 9_000, cpuMs: 9_000 },
    { name: 'idle', ms: 8_000, cpuMs: 800 },
    { name: 'new' },
    { name: 'waits', ms: 7_000, cpuMs: 700 },
  ];
  assert.deepEqual(
    longestFirst(tasks).map(({ name }) => name),
    ['new', 'busy', 'idle', 'waits', 'short'],
  );
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const done = runQueue(tasks, { cores: 2, lanes: 4 }, ({ name }, lane) => {
    begun.push(`${name} in ${lane}`);
    return new Promise((resolve) => ends.push(resolve));
  });
  assert.deepEqual(begun, ['new in 0', 'busy in 1', 'idle in 2', 'waits in 3']);
  ends[2]!();
  await new Promise(setImmediate);
  assert.deepEqual(begun.at(-1), 'short in 2');
  for (const end of ends) end();
  await done;
});

test('tasks that only wait do not take all lanes while there are others', async () => {
  const waits = [9, 8, 7].map((length) => ({ name: `waits ${length}`, ms: length * 1_000, cpuMs: 100 }));
  const tasks = [...waits, { name: 'works', ms: 1_000, cpuMs: 900 }];
  const begun: string[] = [];
  await runQueue(tasks, { cores: 2, lanes: 4 }, async ({ name }) => void begun.push(name));
  assert.deepEqual(begun, ['waits 9', 'waits 8', 'works', 'waits 7']);
});

test('somebody who watches sees how far it is, and an interrupted run names what ran', () => {
  const written: string[] = [];
  const at = (isTTY: boolean) => createProgress({ isTTY, write: (text: string) => written.push(text) > 0 });
  const progress = at(true);
  const end = progress.begin('test/slow.test.ts', 2);
  progress.begin('test/quick.test.ts', 2)();
  assert.match(written.at(-1)!, /1 of 2: test\/slow\.test\.ts\r$/);
  progress.interrupt();
  assert.equal(written.at(-1), 'Interrupted while these ran:\n  test/slow.test.ts\n');
  end();
  written.length = 0;
  at(false).begin('test/any.test.ts', 1)();
  assert.deepEqual(written, [], 'a log has only failures and the summary');
});

test('times are remembered and shown', async () => {
  await run('good');
  const { output } = await run('--times');
  assert.match(output, /\d+\.\d {2}test\/good\.test\.ts\n/);
  const remembered = JSON.parse(readFileSync(join(project, 'node_modules/.cache/trawl/test-times.json'), 'utf8'));
  assert.ok(remembered['test/good.test.ts'].ms > 0);
  await run('--record', 'good');
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(join(project, 'scripts/test/recorded-times.json'), 'utf8'))), [
    'test/good.test.ts',
  ]);
  rmSync(join(project, 'scripts'), { recursive: true });
});

test('--changed runs the files that load what was changed, by any number of steps', async (t) => {
  t.after(() => git('checkout', '--quiet', '.'));
  const touched = async (...args: string[]) =>
    (await run('--list', '--changed', ...args)).output.trim().split('\n').slice(1);
  assert.deepEqual(await touched(), []);
  write('src/deep/inner.ts', 'export type Inner = number; export const inner: Inner = 2;');
  assert.deepEqual(await touched(), ['test/uses/deep.test.ts']);
  write('data/list.json', '[1]');
  assert.deepEqual(await touched('HEAD'), ['test/uses/data.test.ts', 'test/uses/deep.test.ts']);
  assert.deepEqual(await touched('HEAD', 'data'), ['test/uses/data.test.ts']);
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
  write('src/deep/change.ts', 'export {};');
  await runsEnded(2);
  write('src/deep/change.ts', 'export const changed = true;');
  await runsEnded(3);
  assert.ok(output.match(/^2 passed, 0 failed, 1 skipped$/gm)!.length >= 3, output);
  command.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
});

/** A process that has ended but was not collected by its parent yet counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

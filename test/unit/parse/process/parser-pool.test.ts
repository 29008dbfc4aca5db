import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FileParser } from '../../../../src/parse/file-parser.ts';
import { findConfinement } from '../../../../src/parse/process/confinement.ts';
import { createParserPool, type ParserPoolOptions } from '../../../../src/parse/process/parser-pool.ts';
import { OWN_WORK } from '../../../../src/runtime/gate/gate.ts';
import { startDeadline } from '../../../../src/util/abort.ts';
import { descendants, isAlive } from '../../../support/browser/browser.ts';
import { fullTest, test } from '../../../support/full-run.ts';

const entry = fileURLToPath(new URL('../../../support/hostile/hostile-process.ts', import.meta.url));
const searchPath = process.env.PATH ?? '';
const MB = 1024 * 1024;
const never = new AbortController().signal;
const { problem: unconfined } = await findConfinement(searchPath, []);
const NEEDS_BWRAP = { skip: unconfined };
const NEEDS_PROC = { skip: !existsSync('/proc/self/status') && 'memory is monitored only on Linux' };

const originalTmpdir = process.env.TMPDIR;
const scratch = mkdtempSync(join(tmpdir(), 'trawl-pool-test-'));
const folder = join(scratch, 'tmp');
mkdirSync(folder);
process.env.TMPDIR = folder;

let pool: FileParser;
const open = (options: Partial<ParserPoolOptions> = {}) => {
  pool = createParserPool({ entry, workers: 1, ocr: { languages: [], searchPath: '' }, ...options });
};
const read = async (name: string, { content = '', deadline = Date.now() + 60_000, signal = never } = {}) => {
  const options = { pdf: { mode: 'fast', pages: false, blocks: false, pageMarkers: false }, deadline } as const;
  const { body } = await pool.parse({ kind: 'eml', name, bytes: Buffer.from(content) }, options, OWN_WORK, signal);
  return 'markdown' in body ? body.markdown : body.html;
};
const isCode =
  (code: string, message = /./) =>
  (error: Error & { code?: string }) =>
    error.code === code && message.test(error.message);

afterEach(async () => {
  await pool.close();
  assert.deepEqual(readdirSync(folder), [], 'a folder was left behind');
  assert.deepEqual(childProcesses(), [], 'a process was left behind');
});
after(() => {
  if (originalTmpdir === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = originalTmpdir;
  rmSync(scratch, { recursive: true, force: true });
});

const childProcesses = (): string[] =>
  globSync('/proc/self/task/*/children').flatMap((list) =>
    readFileSync(list, 'utf8').trim().split(' ').filter(Boolean),
  );

test('one process parses files one after the other, and their bytes arrive unchanged', async () => {
  open();
  const first = await read('pid');
  assert.equal(await read('length', { content: '\x01\x02\x03' }), '6');
  assert.equal(await read('pid'), first);
});

test('no more files are parsed at once than there are workers; the others wait', async () => {
  open({ workers: 2 });
  const pids = await Promise.all(Array.from({ length: 6 }, () => read('pid')));
  assert.ok(new Set(pids).size <= 2, pids.join());
});

fullTest("a patient caller's time does not run while it waits in the queue", async () => {
  open({ limits: { graceMs: 0 } });
  const patient = startDeadline(2_000, () => new Error('The time is over.'));
  const options = { pdf: { mode: 'fast', pages: false, blocks: false, pageMarkers: false } } as const;
  const file = { kind: 'eml', name: 'pid', bytes: new Uint8Array() } as const;
  const ahead = read('pause');
  const behind = pool.parse(
    file,
    { ...options, deadline: Date.now() + 2_000 },
    { team: '', pausable: patient },
    patient.signal,
  );
  assert.equal(await ahead, 'paused');
  assert.ok(await behind);
  patient.done();
});

test('a file that takes too long is too complex, and the next one gets a fresh process', async () => {
  open({ limits: { timeMs: 300 } });
  await assert.rejects(read('hang'), isCode('DOCUMENT_TOO_COMPLEX', /too long/));
  assert.match(await read('pid'), /^\d+$/);
});

test('no file gets more time than its caller has', async () => {
  open({ limits: { graceMs: 100 } });
  await assert.rejects(read('wait', { deadline: Date.now() + 200 }), isCode('DOCUMENT_TOO_COMPLEX', /too long/));
});

test('a file that needs too much memory is too complex', NEEDS_PROC, async () => {
  open({ limits: { memoryBytes: 200 * MB } });
  await assert.rejects(read('memory'), isCode('DOCUMENT_TOO_COMPLEX', /memory/));
  assert.match(await read('pid'), /^\d+$/);
});

test('a full heap counts as too much memory', async () => {
  open({ limits: { memoryBytes: 100 * MB } });
  await assert.rejects(read('heap'), isCode('DOCUMENT_TOO_COMPLEX', /memory/));
});

test('a file that crashes its parser is damaged, and the next one gets a fresh process', async () => {
  open();
  await assert.rejects(read('crash'), isCode('DOCUMENT_DAMAGED'));
  await assert.rejects(read('leave'), isCode('DOCUMENT_DAMAGED'));
  assert.match(await read('pid'), /^\d+$/);
});

test('a file is parsed again when the previous one broke the process', async () => {
  open();
  assert.equal(await read('break'), 'broken');
  assert.match(await read('pid'), /^\d+$/);
});

test('an uncaught error ends the process together with the file', async () => {
  open();
  const first = await read('pid');
  await assert.rejects(read('throw-later'), isCode('DOCUMENT_DAMAGED', /nobody catches/));
  assert.notEqual(await read('pid'), first);
});

test('programs that a parser started end with it', async () => {
  open({ limits: { timeMs: 2_000 }, ocr: { languages: [], searchPath } });
  await assert.rejects(read('child'), isCode('DOCUMENT_TOO_COMPLEX'));
});

test('a caller that disconnects ends its work, even in the queue', async () => {
  open();
  const leaving = new AbortController();
  const refusals = [
    assert.rejects(read('hang', { signal: leaving.signal }), /gone/),
    assert.rejects(read('pid', { signal: leaving.signal }), /gone/),
  ];
  const other = read('pid');
  await sleep(50);
  leaving.abort(new Error('gone'));
  await Promise.all(refusals);
  assert.match(await other, /^\d+$/);
});

test('closing the pool ends the running work and refuses new files', async () => {
  open();
  const refusals = ['hang', 'pid'].map((name) => assert.rejects(read(name), isCode('SERVICE_UNAVAILABLE')));
  await sleep(50);
  await pool.close();
  await Promise.all(refusals);
  await assert.rejects(read('pid'), isCode('SERVICE_UNAVAILABLE'));
});

test('a process is replaced after its quota of files or when it holds too much memory', async () => {
  open({ limits: { files: 2 } });
  const pids = [await read('pid'), await read('pid'), await read('pid')];
  assert.equal(pids[0], pids[1]);
  assert.notEqual(pids[1], pids[2]);
  await pool.close();
  open({ limits: { idleBytes: 110 * MB } });
  const heavy = await read('hold-100');
  assert.notEqual(await read('pid'), heavy);
});

fullTest('idle processes end, the last one later', async () => {
  open({ workers: 2, limits: { idleMs: 50, lastIdleMs: 3_000 } });
  await Promise.all([read('pid'), read('pid')]);
  const counts = new Set<number>();
  for (let tries = 0; tries < 1_000 && !counts.has(0); tries += 1) {
    counts.add(childProcesses().length);
    await sleep(5);
  }
  assert.deepEqual([...counts].slice(-2), [1, 0]);
  assert.match(await read('pid'), /^\d+$/);
});

test('a process has its own folder and almost no environment', async () => {
  open();
  process.env.TRAWL_TEST_SECRET = 'secret';
  const { env, cwd, files } = JSON.parse(await read('surroundings'));
  delete process.env.TRAWL_TEST_SECRET;
  assert.deepEqual(files, []);
  assert.ok(cwd.startsWith(folder));
  // Node itself passes NODE_V8_COVERAGE on to every process, while `npm run coverage` runs.
  const ofNode = ['NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];
  const allowed = ['PATH', 'LANG', 'TZ', 'TMPDIR', 'MALLOC_ARENA_MAX', 'PWD', 'OLDPWD', ...ofNode];
  assert.deepEqual(
    Object.keys(env).filter((name) => !allowed.includes(name) && !name.startsWith('NODE_CHANNEL')),
    [],
  );
});

test(
  'with bubblewrap a process cannot reach the network, change files or see hidden folders',
  NEEDS_BWRAP,
  async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const hidden = join(scratch, 'hidden');
    mkdirSync(hidden);
    writeFileSync(join(hidden, 'secret'), '');
    open({ ocr: { languages: [], searchPath }, hidden: [hidden] });
    try {
      const content = String((server.address() as AddressInfo).port);
      assert.match(await read('connect', { content }), /ECONNREFUSED|ENETUNREACH|EADDRNOTAVAIL/);
      await assert.rejects(read('write', { content: join(scratch, 'x') }), isCode('DOCUMENT_DAMAGED', /EROFS/));
      assert.equal(await read('write', { content: 'x' }), 'written');
      assert.equal(await read('look-into', { content: hidden }), '[]');
      // It sees no process of the service but its own sandbox: /proc would lead to memory and hidden folders.
      const { seen, capabilities } = JSON.parse(await read('spy'));
      assert.deepEqual(
        seen.filter((line: string) => !/bwrap|hostile-process/.test(line)),
        [],
      );
      assert.match(capabilities, /^0+$/);
      // The same limits apply inside.
      await assert.rejects(read('crash'), isCode('DOCUMENT_DAMAGED'));
    } finally {
      server.close();
    }
  },
);

const HOLDER = fileURLToPath(new URL('../../../support/hostile/hostile-holder.ts', import.meta.url));

for (const [state, path] of [
  ['idle', ''],
  ['busy', searchPath],
] as const) {
  // A busy process cannot notice on its own.
  const skip = state === 'busy' && unconfined;
  test(`a process that is ${state} ends when the service is killed, and its folder is removed on the next start`, {
    skip,
  }, async () => {
    const service = spawn(process.execPath, [HOLDER, state, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(service.stdout, 'data');
    let parsers = descendants(service.pid!);
    assert.ok(parsers.length > 0);
    service.kill('SIGKILL');
    await once(service, 'close');
    for (let tries = 0; tries < 1_000 && parsers.length > 0; tries += 1) {
      await sleep(10);
      parsers = parsers.filter(isAlive);
    }
    assert.deepEqual(parsers, []);
    open();
    await read('pid');
    assert.equal(readdirSync(folder).length, 1);
  });
}

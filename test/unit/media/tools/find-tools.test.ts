// External programs: found or reported missing with advice, limited, and ended with their children.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { createMedia } from '../../../../src/media/create-media.ts';
import { findTools } from '../../../../src/media/tools/find-tools.ts';
import { createRunTool } from '../../../../src/media/tools/run-tool.ts';
import { isAlive } from '../../../support/browser/browser.ts';
import { TOOLS } from '../../../support/media.ts';

function folderWith(t: TestContext, ...programs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-tools-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of programs) {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o700);
  }
  return folder;
}

test('programs are found in the search path, at an explicit path, or not at all', (t) => {
  const full = folderWith(t, 'ffmpeg', 'ffprobe', 'yt-dlp');
  const empty = folderWith(t);
  const found = findTools({ ffmpeg: 'auto', ytDlp: 'auto', searchPath: `${empty}:${full}` });
  assert.deepEqual(found.tools, { ffmpeg: join(full, 'ffmpeg'), ffprobe: join(full, 'ffprobe') });
  assert.equal(found.ytDlp, join(full, 'yt-dlp'));
  const named = findTools({ ffmpeg: join(full, 'ffmpeg'), ytDlp: 'off', searchPath: '' });
  assert.deepEqual([named.tools?.ffprobe, named.ytDlp, named.problem], [join(full, 'ffprobe'), undefined, undefined]);

  const problems = [
    [{ ffmpeg: 'auto', searchPath: empty }, /ffmpeg was not found.*apt install ffmpeg/],
    [{ ffmpeg: 'off', searchPath: full }, /disabled/],
    [{ ffmpeg: join(empty, 'ffmpeg'), searchPath: full }, /TRAWL_FFMPEG is not the path of an executable file/],
    [{ ffmpeg: 'auto', searchPath: folderWith(t, 'ffmpeg') }, /ffprobe was not/],
  ] as const;
  for (const [choice, problem] of problems) assert.match(findTools({ ytDlp: 'off', ...choice }).problem!, problem);
});

test('without ffmpeg, the error says what to do', async () => {
  const tools = findTools({ ffmpeg: 'auto', ytDlp: 'off', searchPath: '' });
  const media = createMedia({ tools } as never);
  assert.match(media.unavailable()!, /apt install ffmpeg/);
  const gathering = media.gather({ formats: ['video'] } as never, async () => {}, AbortSignal.timeout(1_000));
  await assert.rejects(
    gathering,
    (error: ServiceError) => error.code === 'NO_MEDIA_TOOLS' && /apt install/.test(error.message),
  );
});

const run = createRunTool(TOOLS);
const sh = (script: string) => ({
  program: '/bin/sh',
  args: ['-c', script],
  maxFileBytes: 10_000,
  maxOutputBytes: 100,
});

test('a program has no environment, and its files and output are limited', async (t) => {
  const folder = folderWith(t);
  const { stdout, code } = await run(
    { ...sh('pwd; echo "$HOME$TRAWL_DATA_DIR"; exit 3'), folder },
    AbortSignal.timeout(60_000),
  );
  assert.deepEqual([stdout.toString(), code], [`${folder}\n\n`, 3]);
  const loud = await run({ ...sh('/usr/bin/yes'), folder }, AbortSignal.timeout(60_000));
  assert.deepEqual([loud.stdout.length, loud.code], [100, null]);
  if (!TOOLS.prlimit) return;
  await run({ ...sh('/usr/bin/head -c 100000 /dev/zero > file'), folder }, AbortSignal.timeout(60_000));
  assert.ok(readFileSync(join(folder, 'file')).length <= 10_000);
});

/** The process id that a script has written, once it is there. */
async function waitForPid(folder: string): Promise<number> {
  for (let waited = 0; waited < 400; waited++) {
    const pid = existsSync(join(folder, 'pid')) ? Number(readFileSync(join(folder, 'pid'), 'utf8')) : 0;
    if (pid > 0) return pid;
    await sleep(25);
  }
  throw new Error('The script did not start.');
}

async function assertEnds(pid: number): Promise<void> {
  for (let waited = 0; waited < 400 && isAlive(pid); waited++) await sleep(25);
  assert.equal(isAlive(pid), false);
}

test('an aborted program ends with its children', async (t) => {
  const folder = folderWith(t);
  const stop = new AbortController();
  const running = run({ ...sh('/bin/sleep 60 & echo $! > pid; wait'), folder }, stop.signal);
  const pid = await waitForPid(folder);
  stop.abort(new ServiceError('SCRAPE_TIMEOUT'));
  await assert.rejects(running, (error: ServiceError) => error.code === 'SCRAPE_TIMEOUT');
  await assertEnds(pid);
});

const NEEDS_SETPRIV = { skip: TOOLS.setpriv ? false : 'setpriv is not installed' };

test('a program ends with the service, even when the service is killed', NEEDS_SETPRIV, async (t) => {
  const folder = folderWith(t);
  const module = new URL('../../../../src/media/tools/run-tool.ts', import.meta.url).href;
  const script = `import { createRunTool } from '${module}';
    const run = createRunTool({ setpriv: '${TOOLS.setpriv}' });
    run({ program: '/bin/sh', args: ['-c', 'echo $$ > pid; exec /bin/sleep 60'], folder: '${folder}', maxFileBytes: 1000 }, AbortSignal.timeout(60_000));`;
  const service = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const pid = await waitForPid(folder);
  service.kill('SIGKILL');
  await once(service, 'exit');
  await assertEnds(pid);
});

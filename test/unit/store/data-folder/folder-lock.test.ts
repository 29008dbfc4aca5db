// One process per data folder; a dead process blocks nobody.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockDataFolder } from '../../../../src/store/data-folder/folder-lock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const LOCK = new URL('../../../../src/store/data-folder/folder-lock.ts', import.meta.url);

/** A process that takes the lock, prints the outcome, and runs until its input ends. */
function startHolder(folder: string): ChildProcess {
  const script = `
    import { lockDataFolder } from ${JSON.stringify(LOCK)};
    try {
      globalThis.lock = lockDataFolder(${JSON.stringify(folder)});
      process.stdout.write('locked\\n');
    } catch (error) {
      process.stdout.write(error.message + '\\n');
    }
    process.stdin.resume().on('end', () => process.exit());`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
}

const firstLine = async (child: ChildProcess) => String((await once(child.stdout!, 'data'))[0]).trim();

async function end(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  if (signal) child.kill(signal);
  else child.stdin!.end();
  await ended;
}

test('a second lock in the same process is refused until the first is released', (t) => {
  const folder = temporaryFolder(t);
  const lock = lockDataFolder(folder);
  assert.throws(() => lockDataFolder(folder), {
    message: `The data folder ${folder} is in use by process ${process.pid}. Stop it, or set TRAWL_DATA_DIR to another folder.`,
  });
  lock.release();
  lockDataFolder(folder).release();
});

test('another process is refused and told the owner, even after a refusal in the same process', async (t) => {
  const folder = temporaryFolder(t);
  const lock = lockDataFolder(folder);
  assert.throws(() => lockDataFolder(folder));
  const child = startHolder(folder);
  assert.equal(
    await firstLine(child),
    `The data folder ${folder} is in use by process ${process.pid}. Stop it, or set TRAWL_DATA_DIR to another folder.`,
  );
  await end(child);
  lock.release();
});

test('the lock of a killed process is free at once', async (t) => {
  const folder = temporaryFolder(t);
  const child = startHolder(folder);
  assert.equal(await firstLine(child), 'locked');
  assert.throws(() => lockDataFolder(folder), {
    message: `The data folder ${folder} is in use by process ${child.pid}. Stop it, or set TRAWL_DATA_DIR to another folder.`,
  });
  await end(child, 'SIGKILL');
  lockDataFolder(folder).release();
});

test('a stale process id that now belongs to another process blocks nobody', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'lock.pid'), `${process.ppid}\n`);
  lockDataFolder(folder).release();
});

test('exactly one of several simultaneous starts wins', async (t) => {
  const folder = temporaryFolder(t);
  const children = Array.from({ length: 4 }, () => startHolder(folder));
  const lines = await Promise.all(children.map(firstLine));
  assert.equal(lines.filter((line) => line === 'locked').length, 1, lines.join('\n'));
  assert.equal(lines.filter((line) => line.includes('is in use by')).length, 3, lines.join('\n'));
  await Promise.all(children.map((child) => end(child)));
});

test('a lock that is released again takes nothing from the next owner', (t) => {
  const folder = temporaryFolder(t);
  const first = lockDataFolder(folder);
  first.release();
  const second = lockDataFolder(folder);
  first.release();
  assert.throws(() => lockDataFolder(folder), /is in use by .*\d+/);
  second.release();
});

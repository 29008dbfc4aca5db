// The memory of browsers is read in a thread, which is there only while one of them runs.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { memoryWatch } from '../../../../../support/browser/browser.ts';

/** Calls `onRead` for every file and folder of a process that this thread reads and waits for. */
function watchReads(onRead: (path: string) => void): Disposable {
  const { readFileSync, readdirSync } = fs;
  const watched =
    <Read extends (...args: never[]) => unknown>(read: Read) =>
    (...args: Parameters<Read>) => {
      if (/^\/proc\/\d/.test(String(args[0]))) onRead(String(args[0]));
      return read(...args);
    };
  Object.assign(fs, { readFileSync: watched(readFileSync), readdirSync: watched(readdirSync) });
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]() {
      Object.assign(fs, { readFileSync, readdirSync });
      syncBuiltinESMExports();
    },
  };
}

test('the memory of a browser is read in a thread, which ends with the last browser', {
  skip: process.platform !== 'linux',
}, async () => {
  const reads: string[] = [];
  using _ = watchReads((path) => reads.push(path));
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  try {
    const ended = once(child, 'exit').then(() => {});
    const started = once(process, 'worker');
    const memory = memoryWatch().watch({ pid: child.pid!, kill, ended });
    while (memory.bytes === 0) await sleep(5);
    assert.deepEqual(reads, []);
    const [thread] = (await started) as [Worker];
    const threadEnded = once(thread, 'exit');
    kill();
    await threadEnded;
  } finally {
    kill();
  }
});

// The log when standard error cannot be written.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { test } from 'node:test';

const LOG = new URL('../../../src/runtime/log.ts', import.meta.url).href;
const FULL = '/dev/full';
const PROGRAM = `
  import { setTimeout as sleep } from 'node:timers/promises';
  const { createLog } = await import(${JSON.stringify(LOG)});
  const log = createLog('info');
  for (let line = 0; line < 5; line++) {
    log.info({ line }, 'hello');
    await sleep(20);
  }
  process.stdout.write('alive');
  process.exit(0);
`;

test('a log on a full disk neither ends the program nor keeps it from ending', {
  skip: !existsSync(FULL) && 'there is no /dev/full',
}, async (t) => {
  const full = openSync(FULL, 'w');
  t.after(() => closeSync(full));
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: ['ignore', 'pipe', full] });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close', { signal: AbortSignal.timeout(60_000) })) as [number | null];
  assert.deepEqual([output, code], ['alive', 0]);
});

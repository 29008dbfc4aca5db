// What a newcomer sees: the commands that the first start prints work as they stand, without a network, and a machine
// that cannot resolve names is told about the demo.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { startDns } from '../support/dns.ts';
import { until } from '../support/jobs.ts';
import { MAIN, PROGRAM_ENV } from '../support/program.ts';
import { startService } from '../support/service.ts';

const HINT = /No name can be resolved.*`npm run demo`/;
/** Makes the program believe that a person is reading along. */
const TERMINAL = 'data:text/javascript,process.stdout.isTTY = true';

test('the printed commands work without a network', async (t) => {
  const service = await startService({ TRAWL_INDEX_MANUAL: 'on' });
  t.after(() => service.stop());
  const commands = service.output().stdout.match(/^ {2}curl (?:.*\\\n)*.*$/gm)!;
  assert.equal(commands.length, 2);
  const run = async (command: string) => JSON.parse((await promisify(execFile)('bash', ['-c', command])).stdout);
  const page = await run(commands[0]!);
  assert.equal(page.data.metadata.url, `${service.url}/docs/1-start.md`);
  assert.match(page.data.markdown, /^# /);
  // The manual is indexed while the service is already running.
  const found = await until(
    () => run(commands[1]!),
    (answer) => answer.data?.web.length > 0,
  );
  assert.ok(found.data.web[0].url.startsWith(`${service.url}/docs/`));
});

/** Starts the program, stops it when that is enough, and returns all that it has printed. */
async function printed(
  t: TestContext,
  flags: string[],
  dns: string,
  isEnough: (output: string) => boolean,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-first-'));
  const env = { ...PROGRAM_ENV, TRAWL_DATA_DIR: folder, TRAWL_PORT: '0', TRAWL_DNS: dns, TRAWL_INDEX_MANUAL: 'off' };
  const child = spawn(process.execPath, [...flags, MAIN], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await until(async () => isEnough(output) || child.exitCode !== null, Boolean);
  child.kill('SIGTERM');
  await ended;
  return output;
}

test('on a terminal, a machine that cannot resolve names is told about the demo, after one query', async (t) => {
  const dns = await startDns();
  t.after(() => dns.stop());
  const output = await printed(t, ['--import', TERMINAL], dns.address, (text) => HINT.test(text));
  assert.ok(output.indexOf('listening on') < output.search(HINT));
  assert.deepEqual(dns.questions, ['example.com']);
});

test('a machine with names gets no hint, and without a terminal nobody is asked', async (t) => {
  const dns = await startDns({ 'example.com': ['192.0.2.1'] });
  t.after(() => dns.stop());
  const isListening = (text: string) => text.includes('Try it');
  const [onTerminal, inPipe] = await Promise.all([
    printed(t, ['--import', TERMINAL], dns.address, (text) => isListening(text) && dns.questions.length > 0),
    printed(t, [], dns.address, isListening),
  ]);
  assert.doesNotMatch(onTerminal + inPipe, HINT);
  assert.deepEqual(dns.questions, ['example.com']);
});

test('a machine that cannot confine parsers and code is told so at the start, with the reason', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-no-bwrap-'));
  await writeFile(join(folder, 'bwrap'), '#!/bin/sh\necho "No permissions to create namespaces" >&2\nexit 1\n');
  await chmod(join(folder, 'bwrap'), 0o755);
  const service = await startService({ PATH: `${folder}:${process.env.PATH}` });
  t.after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const said =
    /Files are parsed with limits, but not cut off .* cannot start here: No permissions to create namespaces/;
  await until(async () => said.test(service.output().stdout + service.output().stderr), Boolean);
});

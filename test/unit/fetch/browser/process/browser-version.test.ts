// How the installed browser is asked for its version, and what happens when it does not tell.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createBrowserVersion } from '../../../../../src/fetch/browser/process/browser-version.ts';

async function program(t: TestContext, script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-version-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'chromium');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const versionOf = (executable: string | undefined) => createBrowserVersion(executable, process.env.PATH ?? '')();

test('the version is read from what browsers print', async (t) => {
  for (const [line, version] of [
    ['Chromium 142.0.7444.59 built on Debian GNU/Linux 13', '142.0.7444.59'],
    ['Google Chrome 99.0.4844.51 ', '99.0.4844.51'],
    ['no version here', undefined],
    ['Chromium 1.2', undefined],
  ] as const) {
    assert.equal(await versionOf(await program(t, `echo '${line}'`)), version, line);
  }
});

test('it is asked once, and only when needed', async (t) => {
  const file = await program(t, 'echo asked >> "$0.log"; echo Chromium 142.0.7444.59');
  const version = createBrowserVersion(file, process.env.PATH ?? '');
  await assert.rejects(readFile(`${file}.log`));
  assert.deepEqual(await Promise.all([version(), version()]), ['142.0.7444.59', '142.0.7444.59']);
  assert.equal(await readFile(`${file}.log`, 'utf8'), 'asked\n');
});

test('without a browser, or with one that fails or floods, there is no version', async (t) => {
  assert.equal(await versionOf(undefined), undefined);
  assert.equal(await versionOf('/nowhere/chromium'), undefined);
  assert.equal(await versionOf(await program(t, 'exit 1')), undefined);
  assert.equal(await versionOf(await program(t, 'yes x')), undefined);
});

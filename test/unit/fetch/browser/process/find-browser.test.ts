import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findBrowser } from '../../../../../src/fetch/browser/process/find-browser.ts';

function createFolder(t: TestContext, ...programs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-find-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of programs) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const find = (choice: Partial<Parameters<typeof findBrowser>[0]>) =>
  findBrowser({ browser: 'auto', chromiumPath: undefined, searchPath: '', ...choice });

test('the lightest browser on the PATH is chosen, whatever folder it is in', (t) => {
  const [first, second] = [createFolder(t, 'google-chrome', 'chromium'), createFolder(t, 'chromium-headless-shell')];
  const searchPath = [first, second].join(delimiter);
  assert.equal(find({ searchPath }).executable, join(second, 'chromium-headless-shell'));
  assert.equal(find({ searchPath: first }).executable, join(first, 'chromium'));
});

test('the full browser is found beside the light one, and is the same where there is only one', (t) => {
  const [full, light] = [createFolder(t, 'google-chrome', 'chromium'), createFolder(t, 'chromium-headless-shell')];
  const searchPath = [light, full].join(delimiter);
  assert.equal(find({ searchPath }).fullExecutable, join(full, 'chromium'));
  assert.equal(find({ searchPath: light }).fullExecutable, join(light, 'chromium-headless-shell'));
  const chosen = join(light, 'chromium-headless-shell');
  assert.equal(find({ searchPath, browser: chosen }).fullExecutable, chosen);
  assert.equal(find({ searchPath, chromiumPath: chosen }).fullExecutable, chosen);
});

test('CHROMIUM_PATH comes before the PATH if it is executable', (t) => {
  const folder = createFolder(t, 'chromium', 'mine');
  assert.equal(find({ searchPath: folder, chromiumPath: join(folder, 'mine') }).executable, join(folder, 'mine'));
  assert.equal(find({ searchPath: folder, chromiumPath: join(folder, 'none') }).executable, join(folder, 'chromium'));
});

test('a configured browser is the only one considered', (t) => {
  const folder = createFolder(t, 'chromium', 'mine');
  mkdirSync(join(folder, 'folder'));
  assert.equal(find({ browser: join(folder, 'mine'), searchPath: folder }).executable, join(folder, 'mine'));
  for (const name of ['none', 'folder']) {
    const { executable, problem } = find({ browser: join(folder, name), searchPath: folder });
    assert.equal(executable, undefined);
    assert.match(problem!, /^TRAWL_BROWSER .*\.$/);
  }
});

test('a missing or disabled browser is reported with the reason', (t) => {
  assert.match(find({ searchPath: createFolder(t) }).problem!, /^There is no Chromium/);
  assert.match(find({ browser: 'off', searchPath: createFolder(t, 'chromium') }).problem!, /switched off/);
});

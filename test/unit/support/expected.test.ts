// Cases with expected files: a missing or unverified one fails and says what to do.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { assertExpected, assertVerified, readCases } from '../../support/expected.ts';

function makeCase(t: TestContext): { root: string; folder: string } {
  const root = mkdtempSync(join(tmpdir(), 'trawl-expected-'));
  t.after(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'kind--what');
  mkdirSync(folder);
  writeFileSync(join(folder, 'source.txt'), 'input');
  return { root, folder };
}

test('a case is a folder with a source', (t) => {
  const { root, folder } = makeCase(t);
  writeFileSync(join(root, 'VERIFIED.md'), '');
  assert.deepEqual(readCases(root), [{ name: 'kind--what', folder, source: 'source.txt' }]);
  mkdirSync(join(root, 'empty'));
  assert.throws(() => readCases(root), /empty has no file source/);
});

test('a missing expected.md fails with the command that writes it', (t) => {
  const { folder } = makeCase(t);
  assert.throws(() => assertExpected(folder, 'output'), /expected\.md is missing.*npm test -- --update kind--what/);
  writeFileSync(join(folder, 'expected.md'), 'output\n');
  assertExpected(folder, 'output');
  assert.throws(() => assertExpected(folder, 'other output'));
});

test('a case that is not listed in VERIFIED.md fails, and so does a listed one that is gone', (t) => {
  const { root } = makeCase(t);
  const list = (text: string) => writeFileSync(join(root, 'VERIFIED.md'), text);
  list('## Read\n\n- `kind--what`: a note\n');
  assertVerified(root);
  for (const wrong of ['', '- `kind--what`\n- `gone`\n', '- `kind--what`\n- `kind--what`\n']) {
    list(wrong);
    assert.throws(() => assertVerified(root), /must list each case once/);
  }
});

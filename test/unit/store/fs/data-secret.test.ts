// The secret of a data folder: the same for good, its owner's only, never a weak one.
import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSecret } from '../../../../src/store/fs/data-secret.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('each folder has a secret of its own, and the same at every start', (t) => {
  const [folder, other] = [temporaryFolder(t), temporaryFolder(t)];
  const secret = readSecret(folder);
  assert.equal(secret.byteLength, 32);
  assert.deepEqual(readSecret(folder), secret);
  assert.notDeepEqual(readSecret(other), secret);
});

test('only its owner may read it, and nothing else is left', (t) => {
  const folder = temporaryFolder(t);
  readSecret(folder);
  assert.deepEqual(readdirSync(folder), ['secret']);
  assert.equal(statSync(join(folder, 'secret')).mode & 0o777, 0o600);
});

test('what a start that was killed in between left behind is not taken for the secret', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'secret.tmp'), 'half of', { mode: 0o600 });
  const secret = readSecret(folder);
  assert.equal(secret.byteLength, 32);
  assert.deepEqual(readSecret(folder), secret);
  assert.deepEqual(readdirSync(folder), ['secret']);
});

test('a damaged secret is never used and never replaced unasked', (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'secret');
  for (const length of [0, 31, 33]) {
    writeFileSync(file, Buffer.alloc(length));
    assert.throws(() => readSecret(folder), {
      message: `The file ${file} must have 32 bytes and has ${length}. Restore a copy of it, or remove it to get a new one (existing file links then answer 404, and saved browser profiles become unreadable).`,
    });
    assert.equal(statSync(file).size, length);
  }
});

// The secret of a data folder: permanent, readable by its owner only, and never weak.
import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSecret } from '../../../../src/store/data-folder/data-secret.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('each folder has its own secret, the same at every start', (t) => {
  const [folder, other] = [temporaryFolder(t), temporaryFolder(t)];
  const secret = readSecret(folder);
  assert.equal(secret.byteLength, 32);
  assert.deepEqual(readSecret(folder), secret);
  assert.notDeepEqual(readSecret(other), secret);
});

test('only the owner may read the secret, and no other file is left', (t) => {
  const folder = temporaryFolder(t);
  readSecret(folder);
  assert.deepEqual(readdirSync(folder), ['secret']);
  assert.equal(statSync(join(folder, 'secret')).mode & 0o777, 0o600);
});

test('leftovers of a killed start are not mistaken for the secret', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'secret.tmp'), 'half of', { mode: 0o600 });
  const secret = readSecret(folder);
  assert.equal(secret.byteLength, 32);
  assert.deepEqual(readSecret(folder), secret);
  assert.deepEqual(readdirSync(folder), ['secret']);
});

test('a damaged secret is neither used nor replaced', (t) => {
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

test("a new folder takes the operator's own secret, and refuses another one from then on", (t) => {
  const folder = temporaryFolder(t);
  const given = new Uint8Array(32).fill(1);
  assert.deepEqual(new Uint8Array(readSecret(folder, given)), given);
  assert.deepEqual(new Uint8Array(readSecret(folder, given)), given);
  assert.deepEqual(new Uint8Array(readSecret(folder)), given);
  assert.throws(() => readSecret(folder, new Uint8Array(32).fill(2)), {
    message: `TRAWL_SECRET is not the secret of this data folder, which is in the file ${join(folder, 'secret')}. Remove the setting, or set the secret that the folder was made with.`,
  });
});

// Keys that commands keep: private, by URL, and made again if the file is damaged.
import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCredentials } from '../../../../src/cli/connect/credentials.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

test('a key is found by its URL, and only its owner can read the file', async (t) => {
  const folder = join(await temporaryFolder(t), 'config', 'trawl');
  const credentials = openCredentials(folder);
  assert.equal(credentials.find('http://a'), undefined);
  credentials.store('http://a', 'fc-1');
  credentials.store('http://b', 'fc-2');
  const file = join(folder, 'credentials.json');
  chmodSync(file, 0o644);
  credentials.store('http://a', 'fc-3');
  assert.deepEqual(['http://a', 'http://b', 'constructor'].map(credentials.find), ['fc-3', 'fc-2', undefined]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['credentials.json']);
});

test('a damaged file is replaced, and old entries make room', async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'credentials.json'), '{"http://a": ');
  const credentials = openCredentials(folder);
  assert.equal(credentials.find('http://a'), undefined);
  for (let number = 0; number < 150; number++) credentials.store(`http://${number}`, `fc-${number}`);
  assert.equal(Object.keys(JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))).length, 100);
  assert.deepEqual([credentials.find('http://0'), credentials.find('http://149')], [undefined, 'fc-149']);
});

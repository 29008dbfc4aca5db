// Blob files for large bodies: written completely or not at all.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createBlobFolder } from '../../../../src/store/blobs/blob-folder.ts';
import { noise } from '../../../conformance/samples.ts';
import { blobFiles, temporaryFolder } from '../temporary-folder.ts';

test('a blob can be read by its name until it is removed', (t) => {
  const folder = temporaryFolder(t);
  const blobs = createBlobFolder(join(folder, 'blobs'));
  const name = blobs.write(noise(200_000));
  assert.ok(Buffer.from(blobs.read(name)!).equals(noise(200_000)));
  assert.deepEqual(blobFiles(folder), [name]);
  blobs.remove(name);
  assert.equal(blobs.read(name), undefined);
  blobs.remove(name);
});

test('blobs are stored in folders by name prefix, accessible to their owner only', (t) => {
  const folder = join(temporaryFolder(t), 'blobs');
  const name = createBlobFolder(folder).write(noise(10));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, name.slice(0, 2))).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, name.slice(0, 2), name)).mode & 0o777, 0o600);
});

test('orphaned and half-written blobs are removed, and the others stay', (t) => {
  const folder = temporaryFolder(t);
  const blobs = createBlobFolder(join(folder, 'blobs'));
  const [kept, orphan] = [blobs.write(noise(10)), blobs.write(noise(10))];
  writeFileSync(join(folder, 'blobs', kept.slice(0, 2), `${kept}.tmp`), 'half');
  mkdirSync(join(folder, 'blobs', 'zz'));
  writeFileSync(join(folder, 'blobs', 'zz', 'zz00.tmp'), '');
  const asked: string[] = [];
  const removed = blobs.removeOrphans((prefix) => {
    asked.push(prefix);
    return new Set([kept].filter((name) => name.startsWith(prefix)));
  });
  assert.equal(removed, 3);
  assert.deepEqual(blobFiles(folder), [kept]);
  assert.ok(asked.includes('zz') && asked.includes(orphan.slice(0, 2)));
});

test('a blob that cannot be written is an error', (t) => {
  const folder = temporaryFolder(t);
  const blobs = createBlobFolder(join(folder, 'blobs'));
  rmSync(join(folder, 'blobs'), { recursive: true });
  writeFileSync(join(folder, 'blobs'), 'in the way');
  assert.throws(() => blobs.write(noise(10)), { code: 'ENOTDIR' });
});

// An archive with more files than the old format counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createZipWriter } from '../../../src/archive/zip-writer.ts';
import { readByPython } from './read-by-python.ts';

const DATE = new Date('2026-11-16T12:34:56Z');

test('more files than 16 bits count are listed by ZIP64', async (t) => {
  const files = new Map(Array.from({ length: 65_600 }, (_, number) => [`ordner/ä${number}.md`, `${number}`]));
  const zip = createZipWriter(DATE);
  const parts = [...files].flatMap(([name, content]) => zip.addStored(name, Buffer.from(content)));
  const read = await readByPython(Buffer.concat([...parts, ...zip.end()]));
  if (read === undefined) return t.skip('needs Python');
  assert.deepEqual(read, [65_600, 'ordner/ä0.md', '65599', [2026, 11, 16, 12, 34, 56]]);
});

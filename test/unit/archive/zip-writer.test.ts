// ZIP archives as other programs read them: names of any script, files of any content, positions beyond the old format.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createDeflatedText } from '../../../src/archive/deflated-text.ts';
import { createZipWriter } from '../../../src/archive/zip-writer.ts';
import { openZip } from '../../../src/parse/container/zip.ts';
import { runs, seedOr } from '../../support/runs.ts';
import { readByPython } from './read-by-python.ts';

const SEED = seedOr(20_261_116);
const DATE = new Date('2026-11-16T12:34:56Z');

async function archiveOf(files: ReadonlyMap<string, string>, startAt = 0): Promise<Buffer> {
  const zip = createZipWriter(DATE, { startAt });
  const parts: Uint8Array[] = [];
  for (const [name, content] of files) parts.push(...(await zip.add(name, content)));
  return Buffer.concat([...parts, ...zip.end()]);
}

test(`every file is read back as it was written (seed ${SEED})`, async () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((text) => !/[\\/]/.test(text));
  const content = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 50 }),
    fc.string().map((text) => text.repeat(500)),
  );
  const files = fc.uniqueArray(fc.tuple(name, content), { selector: ([each]) => each, maxLength: 8 });
  const property = fc.asyncProperty(files, async (list) => {
    const archive = openZip(await archiveOf(new Map(list)));
    assert.deepEqual(
      [...archive.names],
      list.map(([each]) => each),
    );
    for (const [each, text] of list) assert.equal(Buffer.from(archive.read(each)!).toString(), text);
  });
  await fc.assert(property, { seed: SEED, numRuns: runs(50, 2_000) });
});

test('a text that grows is stored compressed, with its size and checksum', async () => {
  const text = createDeflatedText();
  const lines = Array.from({ length: 20_000 }, (_, number) => `{"url":"https://example.com/ä/${number}"}\n`);
  for (const line of lines) await text.append(line);
  const file = await text.end();
  text.close();
  const packed = file.chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  assert.ok(packed * 5 < file.size);
  const zip = createZipWriter(DATE);
  const bytes = Buffer.concat([...zip.addDeflated('index.json', file), ...zip.end()]);
  assert.equal(Buffer.from(openZip(bytes).read('index.json')!).toString(), lines.join(''));
});

test('positions beyond 32 bits are written by ZIP64', async (t) => {
  const gigabytes = 5 * 1024 ** 3;
  const archive = await archiveOf(new Map([['far.md', 'far away'.repeat(20)]]), gigabytes);
  // Readers of archives with something in front of them move all positions: what is missing in front is made up for.
  const read = await readByPython(archive).catch((error: Error) => error);
  if (read === undefined) return t.skip('needs Python');
  assert.equal(archive.readUInt32LE(archive.length - 6), 0xffffffff);
  assert.deepEqual(read, [1, 'far.md', 'far away'.repeat(20), [2026, 11, 16, 12, 34, 56]]);
});

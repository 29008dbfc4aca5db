// Parquet files, read back by another reader: every value in its place, whatever the sizes of pages and row groups.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { createParquetWriter, type ParquetColumn } from '../../../src/archive/parquet/parquet-writer.ts';
import { runs, seedOr } from '../../support/runs.ts';

const SEED = seedOr(20_261_119);
const COLUMNS: ParquetColumn[] = [
  { name: 'title', type: 'text' },
  { name: 'status', type: 'integer' },
  { name: 'at', type: 'time' },
  { name: 'text', type: 'text', isLong: true },
  { name: 'links', type: 'list' },
];

async function write(rows: readonly unknown[][], options: { groupBytes?: number; pageBytes?: number } = {}) {
  const table = await createParquetWriter(COLUMNS, { createdBy: 'a test', ...options });
  const parts = rows.flatMap((row) => [...table.add(row)]);
  const bytes = Buffer.concat([...parts, ...table.end()]);
  const file = new Uint8Array(bytes).buffer;
  const read = await parquetReadObjects({
    file,
    compressors: { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) },
  });
  return {
    metadata: parquetMetadata(file),
    read: read.map((row) => COLUMNS.map(({ name }) => row[name] ?? undefined)),
  };
}

test(`any rows are read back, in any sizes of pages and groups (seed ${SEED})`, async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  const or = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
  const row = fc.tuple(
    or(text),
    or(fc.integer({ min: -1, max: 999 })),
    or(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })),
    or(text),
    or(fc.array(text, { maxLength: 5 })),
  );
  const sizes = fc.record({
    groupBytes: fc.integer({ min: 1, max: 500 }),
    pageBytes: fc.integer({ min: 1, max: 100 }),
  });
  const property = fc.asyncProperty(fc.array(row, { maxLength: 40 }), sizes, async (rows, size) => {
    assert.deepEqual((await write(rows, size)).read, rows);
  });
  await fc.assert(property, { seed: SEED, numRuns: runs(100, 5_000) });
});

test('a table without rows has its columns', async () => {
  const { metadata, read } = await write([]);
  assert.deepEqual([read, metadata.num_rows, metadata.row_groups], [[], 0n, []]);
  const types = parquetSchema(metadata).children.map(({ element }) => [
    element.name,
    element.converted_type ?? element.type,
  ]);
  assert.deepEqual(types, [
    ['title', 'UTF8'],
    ['status', 'INT32'],
    ['at', 'TIMESTAMP_MILLIS'],
    ['text', 'UTF8'],
    ['links', 'LIST'],
  ]);
});

test('groups have the size that was asked for, and pages of a column can be found', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => ['t', at, undefined, `${at} `.repeat(500), ['a', 'b']]);
  const { metadata, read } = await write(rows, { groupBytes: 40_000, pageBytes: 4_000 });
  assert.deepEqual(read, rows);
  const groups = metadata.row_groups.map(({ num_rows }) => Number(num_rows));
  assert.ok(groups.length > 2 && groups.slice(0, -1).every((count) => count > 20 && count < 45), String(groups));
  const [, , , text] = metadata.row_groups[0]!.columns;
  assert.ok(text!.offset_index_length! > 0);
});

test('half a character becomes the sign for what is none', async () => {
  const { read } = await write([['a\ud800b', 1, undefined, '\udc00\0', ['\ud800']]]);
  assert.deepEqual(read, [['a\ufffdb', 1, undefined, '\ufffd\0', ['\ufffd']]]);
});

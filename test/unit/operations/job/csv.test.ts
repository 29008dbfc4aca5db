// CSV of hostile pages: every reader gets the same cells, and no cell is a formula.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeCsv } from '../../../../src/operations/job/export/tables/csv.ts';
import { csvCell, csvRow } from '../../../../src/text/csv-row.ts';
import { readCsv } from '../../../support/csv.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const SEED = seedOr(20_261_116);

test('a text that begins like a formula is marked as text', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    const text = `${sign}HYPERLINK("https://evil.example","x")`;
    assert.deepEqual(readCsv(csvRow([text])), [[`'${text}`]], JSON.stringify(sign));
  }
  // A byte that is dropped must not uncover one.
  assert.equal(csvCell('\0=1+1'), "'=1+1");
});

test('numbers, lists, data and nothing have a cell, too', () => {
  assert.deepEqual(readCsv(csvRow([200, -1, ['a', 'b'], { a: [1, '"'] }, null, undefined, '', ' x '])), [
    ['200', '-1', 'a\nb', '{"a":[1,"\\""]}', '', '', '', ' x '],
  ]);
});

test(`any texts are read back, but for marks and zero bytes (seed ${SEED})`, () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('"', ',', '\r', '\n', '\r\n', '=', '-', '\t', ' ', 'a', '\0', "'"))
      .map((parts) => parts.join('')),
  );
  const table = fc
    .integer({ min: 1, max: 6 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));
  const property = fc.property(table, (rows) => {
    const read = readCsv(rows.map(csvRow).join(''));
    assert.deepEqual(
      read.map((row) => row.map((text) => text.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, ''))),
      rows.map((row) => row.map((text) => text.replaceAll('\0', '').replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, ''))),
    );
    for (const text of read.flat()) assert.doesNotMatch(text, /^[=+\-@\t\r\n]/);
  });
  fc.assert(property, { seed: SEED, numRuns: runs(500, 20_000) });
});

test('a document whose content is lost is a row with its warning', async () => {
  const json = Buffer.from('{"warning":"lost","metadata":{}}');
  const slices = async function* () {
    yield { json, ends: [json.length] };
  };
  const parts: Uint8Array[] = [];
  const options = { scrapeOptions: { formats: [{ type: 'query' }, { type: 'question' }, { type: 'markdown' }] } };
  for await (const part of writeCsv(slices(), { options })) parts.push(part);
  const [head, row] = readCsv(Buffer.concat(parts).toString().slice(1));
  assert.deepEqual(head!.slice(-4), ['scrapeId', 'markdown', 'answer', 'answers']);
  assert.deepEqual(row!.filter(Boolean), ['lost']);
});

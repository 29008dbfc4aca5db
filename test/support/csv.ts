// Reads CSV strictly by RFC 4180: a quote inside an unquoted field, or a row of another length, is an error.
import assert from 'node:assert/strict';

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const at = FIELD.lastIndex;
    const [, quoted, plain, end] = FIELD.exec(text) ?? assert.fail(`not CSV at ${at}: ${text.slice(at, at + 50)}`);
    row.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  assert.equal(row.length, 0, 'the last row has no end');
  for (const { length } of rows) assert.equal(length, rows[0]!.length, 'all rows have the same length');
  return rows;
}

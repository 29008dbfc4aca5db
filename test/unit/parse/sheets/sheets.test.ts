// Workbooks: values as displayed, tables with headers and merged cells, nothing hidden, and limits that are reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CellObject, CFB, utils, type WorkSheet, write } from '@e965/xlsx';
import type { FileKind, ParsedFile } from '../../../../src/page/parsed.ts';
import { parseSheet } from '../../../../src/parse/sheets/sheets.ts';
import { odfXml, officeFile, type Parts, sheetXml } from '../../../support/hostile/hostile-base.ts';
import { htmlOf } from '../../../support/parsed.ts';

const parse = (bytes: Uint8Array, kind: FileKind = 'xlsx'): Promise<ParsedFile> =>
  parseSheet({ kind, name: `file.${kind}`, bytes }, {} as never, {} as never);

type Sheets = Record<string, WorkSheet>;

function workbook(sheets: Sheets, more: Record<string, unknown> = {}): Promise<ParsedFile> {
  const book = { SheetNames: Object.keys(sheets), Sheets: sheets, ...more };
  return parse(write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer);
}

const table = (rows: unknown[][], more: Partial<WorkSheet> = {}): WorkSheet =>
  Object.assign(utils.aoa_to_sheet(rows), more);

const compact = (parsed: ParsedFile): string => htmlOf(parsed).replaceAll('\n', '').replaceAll(' align="right"', '');

test('a row of words above other values is the header', async () => {
  const parsed = await workbook({
    Sheet1: table([
      ['Name', 2025],
      ['Ann', 1],
      ['Bob', 2],
    ]),
  });
  assert.equal(
    compact(parsed),
    '<table><thead><tr><th>Name</th><th>2025</th></tr></thead><tbody><tr><td>Ann</td><td>1</td></tr><tr><td>Bob</td><td>2</td></tr></tbody></table>',
  );
});

test('a table without words gets an empty header', async () => {
  const parsed = await workbook({
    Sheet1: table([
      [1, 2],
      [3, 4],
    ]),
  });
  assert.match(compact(parsed), /^<table><thead><tr><th><\/th><th><\/th><\/tr><\/thead><tbody><tr><td>1<\/td>/);
});

test('sheets are titled when there are several or the author named them, and empty ones are left out', async () => {
  const one = table([
    ['a', 'b'],
    [1, 2],
  ]);
  assert.doesNotMatch(compact(await workbook({ Tabelle1: one })), /<h2>/);
  assert.match(compact(await workbook({ 'Plan <A>': one })), /^<h2>Plan &lt;A&gt;<\/h2>/);
  assert.match(
    compact(await workbook({ Sheet1: one, Sheet2: one, Sheet3: table([]) })),
    /^<h2>Sheet1<\/h2>.*<h2>Sheet2<\/h2>(?!.*<h2>)/,
  );
});

test('titles and remarks stay outside tables, and one empty row does not end a table', async () => {
  const rows = [['Report'], [], ['k', 'v'], ['a', 1], [], ['b', 2], [], [], ['Remark']];
  assert.equal(
    compact(await workbook({ Sheet1: table(rows) })).replace(/<\/?t(?:head|body)>/g, ''),
    '<p>Report</p><table><tr><th>k</th><th>v</th></tr><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table><p>Remark</p>',
  );
});

test('merged cells span their visible part', async () => {
  const sheet = table(
    [
      ['Region', 'Q', 'Sum'],
      ['North', 'Q1', 1],
      [null, 'Q2', 2],
      ['Total', null, 3],
    ],
    {
      '!merges': [utils.decode_range('A2:A3'), utils.decode_range('A4:B4')],
    },
  );
  const html = compact(await workbook({ Sheet1: sheet }));
  assert.match(html, /<td rowspan="2">North<\/td><td>Q1<\/td><td>1<\/td><\/tr><tr><td>Q2<\/td>/);
  assert.match(html, /<td colspan="2">Total<\/td><td>3<\/td>/);
});

test('dates are written as ISO, other values as displayed', async () => {
  const cell = (v: number, z: string): CellObject => ({ t: 'n', v, z });
  const values = [
    cell(46027, 'm/d/yy'),
    cell(46027.5, 'd.m.yyyy h:mm'),
    cell(46027, 'mmm yyyy'),
    cell(0.385416666, 'h:mm'),
    cell(0.256, '0.0%'),
    cell(1234.5, '#,##0.00 "€"'),
    { t: 'b', v: true } as CellObject,
    { t: 'e', v: 7 } as CellObject,
  ];
  const parsed = await workbook({ Sheet1: utils.aoa_to_sheet([['x'], values]) });
  const shown = [...htmlOf(parsed).matchAll(/<td[^>]*>([^<]+)<\/td>/g)].map(([, text]) => text);
  assert.deepEqual(shown, [
    '2026-01-05',
    '2026-01-05 12:00',
    'Jan 2026',
    '9:15',
    '25.6%',
    '1,234.50 €',
    'TRUE',
    '#DIV/0!',
  ]);
});

test('dates count from 1904 where the workbook says so', async () => {
  const parsed = await workbook(
    { Sheet1: utils.aoa_to_sheet([[{ t: 'n', v: 44565, z: 'yyyy-mm-dd' }, 'x']]) },
    { Workbook: { WBProps: { date1904: true } } },
  );
  assert.match(htmlOf(parsed), />2026-01-05</);
});

test('hidden sheets, rows and columns are left out, and warnings say so', async () => {
  const sheet = table([
    ['a', 'SECRET', 'c'],
    [1, 'SECRET', 3],
    ['SECRET', 'SECRET', 'SECRET'],
  ]);
  sheet['!cols'] = [{}, { hidden: true }, {}];
  sheet['!rows'] = [{}, {}, { hidden: true }];
  const parsed = await workbook(
    { Shown: sheet, Gone: table([['SECRET']]) },
    {
      Workbook: {
        Sheets: [
          { name: 'Shown', Hidden: 0 },
          { name: 'Gone', Hidden: 1 },
        ],
      },
    },
  );
  assert.doesNotMatch(htmlOf(parsed), /SECRET/);
  assert.deepEqual(parsed.warnings, [
    'Hidden sheets were left out: "Gone".',
    'Hidden rows and columns were left out in "Shown".',
  ]);
});

test('hidden parts of an OpenDocument sheet are left out', async () => {
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
  const row = (cells: string, more = '') => `<table:table-row${more}>${cells}</table:table-row>`;
  const content = odfXml(
    `<table:table table:name="One"><table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/>${row(cell('a') + cell('SECRET') + cell('SECRET') + cell('b'))}${row(cell('SECRET'), ' table:visibility="filter"')}${row(cell('c') + cell('SECRET') + cell('SECRET') + cell('d'))}</table:table>`,
    'spreadsheet',
  );
  const parsed = await parse(
    officeFile('ods', { 'content.xml': content, 'styles.xml': '<office:document-styles/>' }),
    'ods',
  );
  assert.deepEqual(
    [...htmlOf(parsed).matchAll(/<t[hd][^>]*>(\w+)</g)].map(([, text]) => text),
    ['a', 'b', 'c', 'd'],
  );
});

test('links and comments are kept, but only web links become links', async () => {
  const cells = [
    { t: 's', v: 'site', l: { Target: 'https://example.com/?a=1&b=2' } },
    { t: 's', v: 'script', l: { Target: 'javascript:alert(1)' } },
  ] as CellObject[];
  const sheet = utils.aoa_to_sheet([['x', 'y'], cells]);
  utils.cell_add_comment(sheet.A2 as CellObject, 'Ann:\nIs it?', 'Ann');
  const html = compact(await workbook({ Sheet1: sheet }));
  assert.match(html, /<a href="https:\/\/example\.com\/\?a=1&amp;b=2">site<\/a>/);
  assert.doesNotMatch(html, /javascript/);
  assert.match(html, /<li><strong>Ann<\/strong> on A2: Is it\?<\/li>/);
});

test('a sheet that claims the maximum size costs only its actual cells', async () => {
  const sheet = sheetXml(
    '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>first</t></is></c></row><row r="150000"><c r="XFD150000"><v>9</v></c></row></sheetData>',
  );
  const parsed = await parse(officeFile('xlsx', { 'xl/worksheets/sheet1.xml': sheet }));
  assert.equal(compact(parsed), '<h2>One</h2><p>first</p><p>9</p>');
});

test('cells beyond the limit are cut off, and the warning names the row', async () => {
  const row = (at: number) => `<row r="${at}">${'<c><v>1</v></c>'.repeat(100)}</row>`;
  const rows = Array.from({ length: 2001 }, (_, at) => row(at + 1));
  const parts: Parts = { 'xl/worksheets/sheet1.xml': sheetXml(`<sheetData>${rows.join('')}</sheetData>`) };
  const parsed = await parse(officeFile('xlsx', parts));
  assert.deepEqual(parsed.warnings, ['The workbook has more than 200000 cells; left out: "One" from row 2001 on.']);
});

test('cells far apart do not become a table of blanks above the limit', async () => {
  const rows = Array.from(
    { length: 1500 },
    (_, at) =>
      `<row r="${at + 1}"><c r="A${at + 1}"><v>1</v></c><c r="${utils.encode_col(at + 1)}${at + 1}"><v>2</v></c></row>`,
  );
  const parsed = await parse(
    officeFile('xlsx', { 'xl/worksheets/sheet1.xml': sheetXml(`<sheetData>${rows.join('')}</sheetData>`) }),
  );
  assert.ok((htmlOf(parsed).match(/<td/g) ?? []).length <= 200_000);
  assert.match(parsed.warnings.join(), /more than 200000 cells/);
});

test('a very wide table continues below itself', async () => {
  const wide = Array.from({ length: 250 }, (_, at) => at);
  const html = compact(await workbook({ Sheet1: table([wide, wide]) }));
  assert.match(html, /<p>Columns A to GR:<\/p><table>.*<p>Columns GS to IP:<\/p><table>/);
});

test('a sheet called __proto__ does not pollute Object.prototype', async () => {
  const book = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="__proto__" sheetId="1" r:id="r1"/></sheets></workbook>`;
  await parse(officeFile('xlsx', { 'xl/workbook.xml': book })).catch(() => undefined);
  assert.equal(({} as Record<string, unknown>)['!data'], undefined);
});

test('encrypted workbooks are reported as encrypted', async () => {
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_add(container, '/EncryptionInfo', Buffer.alloc(64));
  CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(64));
  await assert.rejects(parse(CFB.write(container, { type: 'buffer' }) as Buffer), { code: 'DOCUMENT_ENCRYPTED' });
  await assert.rejects(parse(Buffer.from('PK but no workbook')), { code: 'DOCUMENT_DAMAGED' });
});

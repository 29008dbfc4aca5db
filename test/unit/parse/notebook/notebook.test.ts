// Notebooks: every kind of cell, outputs in their richest readable form, and no markup that leaks into the next cell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlTable } from '../../../../src/parse/notebook/html-table.ts';
import { parseNotebook } from '../../../../src/parse/notebook/notebook.ts';
import { markdownOf, parsedBy } from '../../../support/parsed.ts';

type Cell = Record<string, unknown>;

const read = (cells: Cell[], metadata: object = {}) =>
  parsedBy(parseNotebook, JSON.stringify({ nbformat: 4, metadata, cells }));
const markdown = async (cells: Cell[], metadata?: object) => markdownOf(await read(cells, metadata));
const printed = (...outputs: object[]): Cell[] => [{ cell_type: 'code', source: '', outputs }];

const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1').toString('base64');

test('code is fenced with the language of the kernel', async () => {
  const cells = [{ cell_type: 'code', source: ['x <- 1\n', 'x'], outputs: [] }];
  assert.equal(await markdown(cells, { language_info: { name: 'R' } }), '```r\nx <- 1\nx\n```');
  assert.equal(await markdown(cells, { language_info: { name: '`\n# no' } }), '```python\nx <- 1\nx\n```');
});

test('a fence is longer than any fence in the code', async () => {
  const cells = [{ cell_type: 'code', source: 'a = """\n```\n"""', outputs: [] }];
  assert.equal(await markdown(cells), '````python\na = """\n```\n"""\n````');
});

test('a fence that a cell leaves open is closed at the end of the cell', async () => {
  const cells = [
    { cell_type: 'markdown', source: 'a\n\n~~~~ python\nx\n~~~\n```' },
    { cell_type: 'markdown', source: '# after' },
  ];
  assert.equal(await markdown(cells), 'a\n\n~~~~ python\nx\n~~~\n```\n~~~~\n\n# after');
});

test('attached pictures are shown, missing ones are replaced by their alt text', async () => {
  const cell = {
    cell_type: 'markdown',
    source: '![one](attachment:a.png) ![two](attachment:b.png)',
    attachments: { 'a.png': { 'image/png': PNG } },
  };
  assert.equal(await markdown([cell]), `![one](data:image/png;base64,${PNG}) two`);
});

test('terminal colours and carriage returns are applied to output', async () => {
  const text = '\u001b[1;31mred\u001b[0m\n 10%\r 50%\r100%\n';
  assert.equal(await markdown(printed({ output_type: 'stream', text })), '```\nred\n100%\n```');
});

test('an error becomes its traceback', async () => {
  const error = { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[0;31mline 1\u001b[0m', 'E: v'] };
  assert.equal(await markdown(printed(error)), '```\nline 1\nE: v\n```');
  assert.equal(await markdown(printed({ output_type: 'error', ename: 'E', evalue: 'v' })), '```\nE: v\n```');
});

test('the richest readable form of an output is used', async () => {
  const of = (data: object) => markdown(printed({ output_type: 'display_data', data }));
  assert.equal(await of({ 'text/markdown': '**a**', 'text/plain': 'a' }), '**a**');
  assert.equal(await of({ 'text/latex': '$\\frac12$', 'text/plain': '1/2' }), '$\\frac12$');
  assert.equal(await of({ 'text/html': '<div>a</div>', 'text/plain': 'a' }), '```\na\n```');
  assert.equal(await of({ 'image/png': PNG, 'text/plain': '<Figure 1>' }), `![Figure 1](data:image/png;base64,${PNG})`);
  assert.equal(await of({ 'image/png': 'AAAA', 'text/plain': '<Figure 1>' }), '```\n<Figure 1>\n```');
  assert.equal(await of({ 'application/json': { a: 1 } }), '```json\n{\n  "a": 1\n}\n```');
});

test('very long outputs are truncated', async () => {
  const text = 'word '.repeat(100_000);
  const long = await markdown(printed({ output_type: 'stream', text }));
  assert.ok(long.length < 100_100 && long.endsWith('…\n```'));
});

const TABLES: [what: string, html: string, expected: string | undefined][] = [
  [
    'a data frame',
    '<table><thead><tr><th></th><th>a|b</th></tr></thead><tbody><tr><th>0</th><td>*1*</td></tr></tbody></table>',
    '|  | a\\|b |\n| --- | --- |\n| 0 | \\*1\\* |',
  ],
  [
    'two header rows become one',
    '<table><tr><th></th><th>x</th></tr><tr><th>id</th><th></th></tr><tr><th>1</th><td>2</td></tr></table>',
    '| id | x |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'cells that span columns are repeated',
    '<table><tr><th colspan=2>a</th></tr><tr><td>1</td><td>2</td></tr></table>',
    '| a | a |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'styles are dropped, the row count below the table is kept',
    '<style>td{}</style><table><tr><td>1</td></tr></table><p>1 row</p>',
    '|  |\n| --- |\n| 1 |\n\n1 row',
  ],
  ['several tables give nothing', '<table><tr><td>1</td></tr></table><table><tr><td>1</td></tr></table>', undefined],
  ['HTML without a table gives nothing', '<p>a</p>', undefined],
];

for (const [what, html, expected] of TABLES) test(`tables: ${what}`, () => assert.equal(htmlTable(html), expected));

test('title and authors are read', async () => {
  const cells = [{ cell_type: 'markdown', source: 'intro\n\n# The title\n' }];
  const parsed = await read(cells, { authors: [{ name: 'Ann' }, 'Bob'] });
  assert.deepEqual(parsed.metadata, { title: 'The title', author: 'Ann, Bob' });
});

test('values of the wrong type are skipped', async () => {
  const cells = [
    null,
    7,
    'x',
    [],
    { cell_type: 'code', source: { a: 1 }, outputs: 'no' },
    { cell_type: 'markdown', source: [1, 'a'] },
  ];
  assert.equal(markdownOf(await parsedBy(parseNotebook, JSON.stringify({ nbformat: 4, cells }))), 'a');
});

test('bytes that are not a notebook are damaged', async () => {
  for (const bytes of ['{', '[]', '{"a":1}', '']) {
    await assert.rejects(parsedBy(parseNotebook, bytes), { code: 'DOCUMENT_DAMAGED' }, bytes);
  }
});

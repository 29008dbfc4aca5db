// The rules that repair, judge and order the parts of a page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseReading, isDoubtful } from '../../../../src/parse/pdf/layout/choose-reading.ts';
import { assignHeadingLevels } from '../../../../src/parse/pdf/layout/heading-levels.ts';
import { markMargins } from '../../../../src/parse/pdf/layout/margins.ts';
import { mendTables } from '../../../../src/parse/pdf/layout/mend-tables.ts';
import { orderColumns } from '../../../../src/parse/pdf/layout/page-columns.ts';
import { addLinks } from '../../../../src/parse/pdf/layout/page-links.ts';
import { correctHeadings } from '../../../../src/parse/pdf/layout/pdf-headings.ts';
import { countTableFaults, isPlausibleTable } from '../../../../src/parse/pdf/layout/pdf-tables.ts';
import type { PagePart, PageReading } from '../../../../src/parse/pdf/page-parts.ts';
import { markdownParts } from '../../../../src/parse/pdf/readers/pdf-inspector.ts';
import { writeMarkdown } from '../../../../src/parse/pdf/write-markdown.ts';

const part = (kind: PagePart['kind'], text: string, more: Partial<PagePart> = {}): PagePart => ({
  kind,
  text,
  level: kind === 'heading' ? 1 : 0,
  bold: false,
  italic: false,
  size: 10,
  ...more,
});

const table = (rows: string[][], more: Partial<PagePart> = {}): PagePart => part('table', '', { rows, ...more });

const page = (parts: PagePart[], more: Partial<PageReading> = {}): PageReading => ({
  pageNumber: 1,
  width: 600,
  height: 800,
  parts,
  scope: 'a',
  source: 'text',
  bodySize: 10,
  garbled: 0,
  status: 'ok',
  ...more,
});

const at = (x: number, y: number, width = 200, height = 10) => ({ box: { x, y, width, height } });

const PROSE =
  'Many words that go on and on, as they do in any column of a paper, so that it is clear what it is. '.repeat(2);

describe('tables', () => {
  test('rows of numbers are a table, words taken from lines of prose are not', () => {
    assert.ok(
      isPlausibleTable(
        table([
          ['Town', 'People'],
          ['Ulm', '126,000'],
          ['Bonn', '330,000'],
        ]),
      ),
    );
    assert.ok(
      !isPlausibleTable(
        table([
          ['Participants', 'in the', 'survey'],
          ['content', 'directed', 'towards'],
          ['from', 'the', 'north'],
        ]),
      ),
    );
    assert.ok(
      !isPlausibleTable(
        table([
          ['56 %', '36 %'],
          ['AGREE', 'STRONGLY AGREE'],
        ]),
      ),
    );
  });

  test('a row split in two and two rows merged into one count as faults', () => {
    assert.equal(
      countTableFaults(
        table([
          ['A', 'B', 'C'],
          ['x', '1', '2'],
          ['', '', 'rest'],
        ]),
      ),
      1,
    );
    assert.equal(
      countTableFaults(
        table([
          ['A', 'B'],
          ['x', '15 27,926'],
        ]),
      ),
      1,
    );
    assert.equal(
      countTableFaults(
        table([
          ['A', 'B'],
          ['x', '15'],
        ]),
      ),
      0,
    );
  });

  test('a table cut in two by a rule is joined, and the sentence above it is not a row', () => {
    const mended = mendTables([
      part('text', 'The figures are on', at(50, 100)),
      table(
        [
          ['page nine,', 'as always.'],
          ['Cargo', 'Tonnes'],
          ['Grain', '4'],
        ],
        at(50, 112, 300, 30),
      ),
      part('rule', '', at(50, 145, 300, 1)),
      table([['Timber', '7']], at(52, 148, 300)),
    ]);
    assert.equal(mended[0]!.text, 'The figures are on page nine, as always.');
    assert.deepEqual(mended[1]!.rows, [
      ['Cargo', 'Tonnes'],
      ['Grain', '4'],
      ['Timber', '7'],
    ]);
  });
});

describe('headings', () => {
  const correctedKinds = (parts: PagePart[]) =>
    correctHeadings(page(parts)).parts.map(({ kind, text }) => `${kind}: ${text}`);

  test('a bold first line of a paragraph is joined to the rest', () => {
    const parts = [
      part('heading', 'a. Fees. At this level, only five', at(50, 300)),
      part('text', 'towns collect fees.', at(50, 312)),
    ];
    assert.deepEqual(correctedKinds(parts), ['text: a. Fees. At this level, only five towns collect fees.']);
  });

  test('a heading in larger type is not joined to what follows', () => {
    const parts = [
      part('heading', 'Fees', { ...at(50, 300), size: 16 }),
      part('text', 'towns collect fees.', at(50, 318)),
    ];
    assert.deepEqual(correctedKinds(parts), ['heading: Fees', 'text: towns collect fees.']);
  });

  test('captions, bare numbers and running heads are not headings', () => {
    const parts = [
      part('heading', '74 Baird', at(50, 20)),
      part('heading', 'Table 3: Towns', at(50, 300)),
      part('heading', '85 4 96.8', at(50, 400)),
      part('heading', '4 Results', at(50, 500)),
    ];
    assert.deepEqual(correctedKinds(parts), [
      'text: 74 Baird',
      'text: Table 3: Towns',
      'text: 85 4 96.8',
      'heading: 4 Results',
    ]);
  });

  test('levels follow the type size across all pages', () => {
    const pages = [
      page([part('heading', 'Part', { size: 20 }), part('heading', 'Section', { size: 14, level: 2 })]),
      page([part('heading', 'Other section', { size: 14, level: 1 })], { scope: 'b' }),
    ];
    assignHeadingLevels(pages);
    assert.deepEqual(
      pages.flatMap(({ parts }) => parts.map(({ level }) => level)),
      [1, 2, 2],
    );
  });
});

describe('order and margins', () => {
  test('columns are read one after the other, below what spans both', () => {
    const parts = [
      part('heading', 'Title', at(50, 40, 500)),
      part('text', `1 ${PROSE}`, at(50, 100)),
      part('text', `3 ${PROSE}`, at(320, 100)),
      part('text', `2 ${PROSE}`, at(50, 300)),
      part('text', `4 ${PROSE}`, at(320, 300)),
    ];
    assert.deepEqual(
      orderColumns(parts, 600).map(({ text }) => text.slice(0, 1)),
      ['T', '1', '2', '3', '4'],
    );
  });

  test('labels side by side keep their order', () => {
    const parts = [part('text', 'a', at(50, 100)), part('text', 'b', at(320, 100)), part('text', 'c', at(50, 300))];
    assert.deepEqual(orderColumns(parts, 600), parts);
  });

  test('only text at the edge of page after page is marked as a margin', () => {
    const pages = [1, 2, 3, 4].map((pageNumber) =>
      page(
        [
          part('text', `Report ${pageNumber}`, at(50, 30)),
          part('text', 'The same sentence on each page.', at(50, 400)),
          part('text', `Unlike ${'abcd'[pageNumber]}`, at(50, 60)),
          part('text', `- ${pageNumber} -`, at(290, 770, 20)),
        ],
        { pageNumber },
      ),
    );
    markMargins(pages);
    for (const { parts } of pages) {
      assert.deepEqual(
        parts.map(({ margin }) => margin),
        ['page_header', undefined, undefined, 'page_number'],
      );
    }
  });

  test('a title in large type is kept on the first page and marked on the others', () => {
    const pages = [1, 2, 3, 4].map((pageNumber) =>
      page([part('heading', 'Annual report', { ...at(50, 30), size: 20 })], { pageNumber }),
    );
    markMargins(pages);
    assert.deepEqual(
      pages.map(({ parts }) => parts[0]!.margin),
      [undefined, 'page_header', 'page_header', 'page_header'],
    );
  });
});

describe('two readings', () => {
  const lite = (parts: PagePart[]) => ({ reading: page(parts), lines: [], links: [] });

  test('a table that only one reader sees in lines of prose is not a table', () => {
    const invented = table([
      ['Participants', 'in the'],
      ['content', 'directed'],
      ['from', 'the'],
    ]);
    const first = lite([part('text', PROSE), invented]);
    assert.ok(isDoubtful(first.reading));
    const { parts } = chooseReading(first, markdownParts(`${PROSE}\n\nParticipants in the content directed from the`));
    assert.ok(parts.every(({ kind }) => kind === 'text'));
  });

  test('a table that both readers see is taken from the one with fewer faults', () => {
    const first = lite([
      table([
        ['Kind', 'One', 'Two'],
        ['cells of', '', ''],
        ['', '', 'rest'],
        ['all', '4', '5'],
      ]),
    ]);
    const { parts } = chooseReading(first, markdownParts('|Kind|One|Two|\n|---|---|---|\n|cells of all|4|5 rest|'));
    assert.deepEqual(parts[0]!.rows, [
      ['Kind', 'One', 'Two'],
      ['cells of all', '4', '5 rest'],
    ]);
  });

  test('letters that were spaced apart are joined as in the other reading', () => {
    const first = lite([part('heading', 'BURN ING BR IDGES'), part('text', PROSE)]);
    assert.ok(isDoubtful(first.reading));
    const { parts } = chooseReading(first, markdownParts(`# BURNING BRIDGES\n\n${PROSE}`));
    assert.equal(parts[0]!.text, 'BURNING BRIDGES');
  });

  test('a reading that leaves out much of the text is not used', () => {
    const first = lite([part('heading', PROSE), part('text', 'lower case goes on here')]);
    assert.equal(chooseReading(first, markdownParts('# Short\n\nText')).parts[0]!.text, PROSE);
  });
});

describe('writing', () => {
  test('each page begins where the one before it ends, with the mark of the page', () => {
    const readings = ['One', 'Two'].map((text, at) => ({ ...page([part('text', text)]), pageNumber: at + 1 }));
    assert.deepEqual(writeMarkdown(readings, false).pageStarts, [0, 3]);
    const { markdown, pageStarts } = writeMarkdown(readings, true);
    assert.equal(markdown.slice(pageStarts[1]), '\n\n---\n\n<!-- page 2 -->\n\nTwo');
  });

  test('list items are nested under their parent, but never so deep that they become code', () => {
    const items = [
      [2, '-'],
      [3, 'a.'],
      [2, '-'],
      [0, '12.'],
      [1, '-'],
    ] as const;
    const parts = items.map(([level, marker]) => part('list', 'x', { level, marker }));
    assert.equal(writeMarkdown([page(parts)], false).markdown, '- x\n  - a. x\n- x\n\n12. x\n\n    - x');
  });

  test('each link is added once, at its words, and not inside another link', () => {
    const parts = [part('text', 'See [the page](http://a.example/the) or the page.'), table([['Home', 'the list']])];
    const linked = addLinks(parts, [
      { uri: 'http://b.example/', words: ['the page'] },
      { uri: 'http://c.example/(x)', words: ['missing', 'the list'] },
    ]);
    assert.equal(linked[0]!.text, 'See [the page](http://a.example/the) or [the page](http://b.example/).');
    assert.deepEqual(linked[1]!.rows, [['Home', '[the list](http://c.example/%28x%29)']]);
  });
});

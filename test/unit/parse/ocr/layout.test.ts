// From hOCR to Markdown: what runs on, what is a heading, a list, a table or a column.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHocr } from '../../../../src/parse/ocr/engine/hocr.ts';
import { layOutText } from '../../../../src/parse/ocr/layout/layout.ts';
import { ocrBlocks, ocrMarkdown } from '../../../../src/parse/ocr/layout/ocr-markdown.ts';

const WIDTH = 1000;
const HEIGHT = 1400;
/** Width of a letter, relative to its height. */
const LETTER = 0.5;

interface LineSpec {
  text: string;
  left?: number;
  top: number;
  height?: number;
  confidence?: number;
}

/** An hOCR report as tesseract writes it. Two or more spaces make a gap of that many letters. */
function report(paragraphs: LineSpec[][], turned = 0): ReturnType<typeof layOutText> {
  const body = paragraphs.map(
    (lines) => `<p class='ocr_par' title="bbox 0 0 9 9">${lines.map((line) => lineOf(line, turned)).join('\n')}</p>`,
  );
  const size = turned % 180 === 0 ? `${WIDTH} ${HEIGHT}` : `${HEIGHT} ${WIDTH}`;
  return layOutText(
    readHocr(`<div class='ocr_page' title='image "stdin"; bbox 0 0 ${size}; ppageno 0'>${body.join('\n')}</div>`),
  );
}

function lineOf({ text, left = 100, top, height = 20, confidence = 95 }: LineSpec, turned: number): string {
  const words = [...text.matchAll(/\S+/g)].map(([word], _n) => word);
  let from = 0;
  const spans = words.map((word) => {
    const at = text.indexOf(word, from);
    from = at + word.length;
    const box = [left + at * height * LETTER, top, left + from * height * LETTER, top + heightOf(word, height)];
    const title = `bbox ${turnedBox(box, turned).map(Math.round).join(' ')}; x_wconf ${confidence}`;
    return `<span class='ocrx_word' id='w' title='${title}'>${word.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</span>`;
  });
  const direction = turned === 0 ? 'baseline 0 -5' : `textangle ${360 - turned}`;
  return `<span class='ocr_line' id='l' title="bbox 0 0 9 9; ${direction}; x_size 20">${spans.join('\n')}</span>`;
}

/** The box on a page that is turned clockwise. */
function turnedBox([left = 0, top = 0, right = 0, bottom = 0]: number[], turned: number): number[] {
  if (turned === 90) return [HEIGHT - bottom, left, HEIGHT - top, right];
  if (turned === 180) return [WIDTH - right, HEIGHT - bottom, WIDTH - left, HEIGHT - top];
  if (turned === 270) return [top, WIDTH - right, bottom, WIDTH - left];
  return [left, top, right, bottom];
}

function heightOf(word: string, height: number): number {
  const [rises, falls] = [/[A-Z0-9bdfhijklt]/.test(word), /[gjpqy,;]/.test(word)];
  if (rises && falls) return height;
  return height * (rises ? 0.77 : falls ? 0.76 : 0.54);
}

const PROSE = [
  { text: 'The keeper of the northern light has written that the old lamp burns with', top: 100 },
  { text: 'an uneven flame, and that the oil which was delivered in the autumn is of a', top: 130 },
  { text: 'poor sort. Two of the panes are cracked, and the clockwork loses about four', top: 160 },
  { text: 'minutes in a night.', top: 190 },
];
const PROSE_TEXT = PROSE.map(({ text }) => text).join(' ');

test('lines that run on become one paragraph, whichever way the page is turned', () => {
  for (const turned of [0, 90, 180, 270]) assert.equal(ocrMarkdown(report([PROSE], turned)), PROSE_TEXT, `${turned}`);
});

test('bounding boxes are fractions of the picture as it is, turned or not', () => {
  const [upright] = report([[{ text: 'Harbour', top: 140, left: 100 }]]).blocks;
  assert.deepEqual(upright!.bbox, [0.1, 0.1, 0.17, 155 / HEIGHT]);
  const [turned] = report([[{ text: 'Harbour', top: 140, left: 100 }]], 180).blocks;
  assert.deepEqual(turned!.bbox, [0.83, (HEIGHT - 155) / HEIGHT, 0.9, 0.9]);
});

test('a word split at a line end is joined, one with a hyphen of its own keeps it', () => {
  const lines = [
    { text: 'A well-known firm renewed the light-', top: 100 },
    { text: 'ning conductor, which was as well-', top: 130 },
    { text: 'known as the firm itself, in the year', top: 160 },
  ];
  assert.equal(
    ocrMarkdown(report([lines])),
    'A well-known firm renewed the lightning conductor, which was as well-known as the firm itself, in the year',
  );
});

test('text without spaces between words gets none at line ends either', () => {
  const lines = [
    { text: '人人生而自由，', top: 100 },
    { text: '在尊严和权利上', top: 130 },
  ];
  assert.equal(ocrMarkdown(report([lines])), '人人生而自由，在尊严和权利上');
});

test('text larger than most of the page is a title or a heading', () => {
  const text = report([
    [{ text: 'Harbour lights', top: 20, height: 40 }],
    [{ text: 'What was found', top: 70, height: 27 }],
    PROSE,
  ]);
  assert.deepEqual(
    ocrBlocks(text).map(({ type }) => type),
    ['title', 'section_header', 'text'],
  );
  assert.ok(ocrMarkdown(text).startsWith('# Harbour lights\n\n## What was found\n\nThe keeper'));
});

test('a heading that the report puts into one paragraph with its text is separated', () => {
  assert.match(
    ocrMarkdown(report([[{ text: 'What was found', top: 60, height: 30 }, ...PROSE]])),
    /^## What was found\n\nThe keeper/,
  );
});

test('a line that ends although the next word had room keeps its line break', () => {
  const address = [
    { text: 'Harbour Tools Ltd', top: 300 },
    { text: '12 Quay Street', top: 330 },
    { text: 'Whitby', top: 360 },
  ];
  assert.equal(ocrMarkdown(report([PROSE, address])), `${PROSE_TEXT}\n\nHarbour Tools Ltd  \n12 Quay Street  \nWhitby`);
});

test('a paragraph that the report splits in the middle of a sentence is joined', () => {
  assert.equal(ocrMarkdown(report([PROSE.slice(0, 2), PROSE.slice(2)])), PROSE_TEXT);
});

test('list items are recognised by numbers and bullets, including misread bullets', () => {
  const items = [
    { text: '¢ The lamp is to be replaced by one of the new pattern, with three wicks in', top: 300 },
    { text: '  place of two.', top: 330 },
    { text: 'e The clockwork goes to the maker.', top: 360 },
    { text: '1. First', top: 420 },
    { text: '2. Second', top: 450 },
  ];
  assert.equal(
    ocrMarkdown(report([items])),
    '- The lamp is to be replaced by one of the new pattern, with three wicks in place of two.\n- The clockwork goes to the maker.\n\n1. First\n2. Second',
  );
});

test('a word that only looks like a bullet stays when there is no other item', () => {
  assert.equal(ocrMarkdown(report([[{ text: 'e poi si parte', top: 100 }]])), 'e poi si parte');
});

test('rows with the same gaps are a table', () => {
  const rows = [
    { text: 'Work            Weeks    Pounds', top: 100 },
    { text: 'Lamp | oil      6        112.00', top: 140 },
    { text: 'Clockwork                 21.50', top: 180 },
  ];
  const [block] = ocrBlocks(report([rows]));
  assert.equal(block!.type, 'table');
  assert.equal(
    block!.content,
    '| Work | Weeks | Pounds |\n| --- | --- | --- |\n| Lamp \\| oil | 6 | 112.00 |\n| Clockwork |  | 21.50 |',
  );
});

test('columns that the report merged are read one after the other', () => {
  const lines = [
    { text: 'Light wind in the morning,      Rain from noon on, heavy', top: 100 },
    { text: 'fresh towards evening. The      at times. Small boats are', top: 130 },
    { text: 'sea is calm inside of the       to stay in the inner basin', top: 160 },
    { text: 'breakwater.', top: 190 },
  ];
  assert.equal(
    ocrMarkdown(report([lines])),
    'Light wind in the morning, fresh towards evening. The sea is calm inside of the breakwater.\n\nRain from noon on, heavy at times. Small boats are to stay in the inner basin',
  );
});

test('words with low confidence and lines without a letter are left out', () => {
  const dirt = [[{ text: '~~ oY ae |', top: 600, confidence: 25 }], [{ text: '— | —', top: 700 }]];
  const text = report([PROSE, ...dirt]);
  assert.equal(ocrMarkdown(text), PROSE_TEXT);
  assert.ok(text.confidence > 0.8 && text.confidence < 0.95);
});

test('characters that are Markdown syntax are escaped', () => {
  const lines = [[{ text: '# 5 *stars* for <b> and a_b `x`', top: 100 }], [{ text: '2024. A year', top: 200 }]];
  assert.equal(ocrMarkdown(report(lines)), '\\# 5 \\*stars\\* for \\<b> and a_b \\`x\\`\n\n2024\\. A year');
});

test('ten thousand lines with gaps are laid out', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => ({ text: `a${n}   b   ${'c '.repeat(n % 7)}`, top: n * 25 }));
  assert.ok(report([many]).blocks.length > 0);
});

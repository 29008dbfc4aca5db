// The text of a page as the reader reads it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import { readableText } from '../../../../src/understand/reading/readable-text.ts';

const textOf = (html: string) => readableText(parseHtml(html)).text;
const piecesOf = (html: string) => {
  const { text, pieces } = readableText(parseHtml(html));
  return pieces.map(({ start, end }) => text.slice(start, end)).sort();
};

test('a block is a line, and what no reader sees is left out', () => {
  const html =
    '<body><h1>Lamp</h1><script>x()</script><p>For <b>quiet</b>\n rooms.</p><button>Buy</button><div>Grey<br>Blue</div>';
  assert.equal(textOf(html), 'Lamp\nFor quiet rooms.\nGrey\nBlue');
});

test('rows of two cells and terms are labels with values, other rows are cells', () => {
  const html = `<table><tr><th>Price:</th><td>$ 5</td></tr><tr><td>Colour</td><td></td><td><p>Grey</p></td></tr>
    <tr><td>a</td><td>b</td><td>c</td></tr></table><dl><dt>Made by</dt><dd>Nordwind</dd><dt>Year</dt><dd>2024</dd></dl>`;
  assert.equal(textOf(html), 'Price: $ 5\nColour: Grey\na | b | c\nMade by: Nordwind\nYear: 2024');
});

test('tables that lay out a page are no rows', () => {
  const html = '<table><tr><td><table><tr><td>Price</td><td>5</td></tr></table></td><td>Menu</td></tr></table>';
  assert.equal(textOf(html), 'Price: 5\nMenu');
});

test('pieces are texts, elements, cells, lines, and what stands behind a label', () => {
  const html = '<p>By <a>Ann Lee</a>, <i>editor</i></p><p>Weight: 2.5 kg</p>';
  assert.deepEqual(
    piecesOf(html),
    ['2.5 kg', ', ', 'Ann Lee', 'By', 'By Ann Lee, editor', 'Weight: 2.5 kg', 'editor']
      .map((piece) => piece.trim())
      .sort(),
  );
});

test('a page without text, and a very long one', () => {
  assert.deepEqual(readableText(parseHtml('')), { text: '', pieces: [] });
  const { text, pieces } = readableText(parseHtml(`<p>${'word '.repeat(40_000)}</p>`));
  assert.equal(text.length, 100_000);
  assert.ok(pieces.every(({ end }) => end <= text.length));
});

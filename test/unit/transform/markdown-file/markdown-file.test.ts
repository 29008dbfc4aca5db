import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransformFormat, TransformOptions } from '../../../../src/page/page.ts';
import { definitionsIn, piecesOf } from '../../../../src/transform/markdown-file/markdown-pieces.ts';
import { renderMarkdown } from '../../../../src/transform/markdown-file/render-markdown.ts';
import { options, run } from '../parsed-file/parsed-file-samples.ts';

const html = (markdown: string): string => renderMarkdown(markdown).html.trim();

function examples(behaviour: string, cases: [markdown: string, expected: string][]): void {
  test(behaviour, () => {
    for (const [markdown, expected] of cases) assert.equal(html(markdown), expected, markdown);
  });
}

examples('URLs with a scheme become links', [
  ['See https://a.test/b_c.', '<p>See <a href="https://a.test/b_c">https://a.test/b_c</a>.</p>'],
  ['README.md, a@b.test, node.js', '<p>README.md, a@b.test, node.js</p>'],
  ['[x](javascript:alert) ![y](vbscript:z)', '<p>[x](javascript:alert) ![y](vbscript:z)</p>'],
]);

examples('footnote references are linked to existing footnotes, which include their indented content', [
  [
    'A[^1] b[^2].\n\n[^1]: One\nmore.\n\n    - item\n\nText.',
    '<p>A<sup><a href="#fn-1">1</a></sup> b[^2].</p>\n<div class="footnote" id="fn-1">\n<p>One\nmore.</p>\n<ul>\n<li>item</li>\n</ul>\n</div>\n<p>Text.</p>',
  ],
  [
    '[^a]: A\n[^b-1]: B[^a]',
    '<div class="footnote" id="fn-a">\n<p>A</p>\n</div>\n<div class="footnote" id="fn-b-1">\n<p>B<sup><a href="#fn-a">a</a></sup></p>\n</div>',
  ],
  ['[^a]: [^b]: c', '<div class="footnote" id="fn-a">\n<p>[^b]: c</p>\n</div>'],
  [
    '> [^a]: b\n> c\n\n- [^d]: e',
    '<blockquote>\n<div class="footnote" id="fn-a">\n<p>b\nc</p>\n</div>\n</blockquote>\n<ul>\n<li>\n<div class="footnote" id="fn-d">\n<p>e</p>\n</div>\n</li>\n</ul>',
  ],
  ['[^"><b>]: x y', '<p>[^&quot;&gt;<b>]: x y</p>'],
]);

examples('formulas are left unchanged, amounts of money are not formulas', [
  ['$a_b * c_d < \\\\ e$', '<p><math-renderer>$a_b * c_d &lt; \\\\ e$</math-renderer></p>'],
  ['$$\nx_1 *y*\n$$', '<p><math-renderer>$$\nx_1 *y*\n$$</math-renderer></p>'],
  ['$5 and *this* for $10', '<p>$5 and <em>this</em> for $10</p>'],
  ['from $5 *to*$10', '<p>from $5 <em>to</em>$10</p>'],
  ['\\$a *b*$', '<p>$a <em>b</em>$</p>'],
]);

examples('task list items have checkboxes', [
  [
    '- [x] done\n- [ ] open\n- [y] no',
    '<ul>\n<li><input type="checkbox" checked disabled> done</li>\n<li><input type="checkbox" disabled> open</li>\n<li>[y] no</li>\n</ul>',
  ],
  ['[x] no item', '<p>[x] no item</p>'],
]);

test('a long text is rendered in pieces as if it were one', () => {
  const blocks = [
    ...['# Head', 'Some *prose* with [a link][ref] and a note[^n].', '- one\n\n- two\n\n  more\n\n3. three'],
    ...['```md\n# code\n\nno [ref]\n```', '> quote\n\n| a | b |\n| - | - |\n| 1 | 2 |', '~~~\n```\n\ntext\n~~~'],
  ];
  const text = `${`${blocks.join('\n\n')}\n\n`.repeat(800)}[ref]: /there\n\n[^n]: The note.\n`;
  const pieces = piecesOf(text);
  assert.ok(pieces.length > 2);
  assert.equal(pieces.join(''), text);
  assert.ok(Math.max(...pieces.map((piece) => piece.length)) < 70_000);
  const once = renderMarkdown(`${blocks.join('\n\n')}\n\n[ref]: /there\n\n[^n]: The note.\n`).html;
  const end = once.indexOf('<div class="footnote"');
  assert.equal(renderMarkdown(text).html, once.slice(0, end).repeat(800) + once.slice(end));
});

test('a text without a good split point is cut at line ends, or else anywhere', () => {
  const rows = piecesOf('| a | b |\n'.repeat(100_000));
  assert.ok(rows.length >= 4 && rows.every((piece) => piece.length <= 256_000 && piece.endsWith('|\n')));
  const line = piecesOf('a'.repeat(1_000_000));
  assert.deepEqual([line.length, line.join('').length], [4, 1_000_000]);
  assert.deepEqual(piecesOf(''), []);
  assert.equal(definitionsIn('[a]: b\n\nc\n   [d e]: f\n[g] h'), '[a]: b\n\n   [d e]: f');
});

test('hostile Markdown renders to output proportional to its length', () => {
  const large = ['[', '*a ', '> ', '|', '- '];
  const others = [
    ...[
      '![',
      '**a*',
      '>',
      '1. ',
      '|a',
      '|x|y|\n',
      '`a``',
      '<',
      '<a b="',
      '<!--',
      'a <![CDATA[',
      '[a](',
      '[a][b]',
      '[a]: b\n',
    ],
    ...[
      '[a\n',
      '[^1]: ',
      '[^1]: a\n',
      '[^',
      '$',
      '$a ',
      '$$',
      '~~a',
      '_a__b',
      '\\',
      '&amp',
      '#',
      'a\n',
      '```\n',
      '- [x] ',
    ],
    ...[
      'http://',
      'http://a..',
      '<http://a',
      '    ',
      '\t- ',
      '<div>\n\n',
      'a|b\n-|-\n',
      '> [^1]: ',
      '- [^1]: a\n\n    ',
    ],
  ];
  for (const [signs, length] of [
    [large, 100_000],
    [others, 20_000],
  ] as const) {
    for (const sign of signs) {
      const { html: rendered } = renderMarkdown(sign.repeat(Math.ceil(length / sign.length)));
      assert.ok(rendered.length < 30 * length, `${sign}: ${rendered.length}`);
    }
  }
  let nested = '';
  for (let level = 0; level < 500; level++) nested += `${'  '.repeat(level)}- a\n`;
  assert.match(renderMarkdown(nested).html, /<li>a/);
});

test('a Markdown page has HTML, links, pictures and attributes like a parsed file', () => {
  const source = '---\ntitle: Tides\n---\r\n# Head\r\n\r\n[a](b.md) ![c](d.png)\r\n\r\n<script>x()</script>\r\n';
  const formats: TransformFormat[] = ['markdown', 'html', 'rawHtml', 'links', 'images', 'attributes'];
  const page = (wanted: Partial<TransformOptions>) =>
    run({
      page: {
        ...{ finalUrl: 'https://example.com/docs/a.md', status: 200, headers: {}, contentType: 'text/markdown' },
        bytes: Buffer.from(source),
      },
      options: { ...options, ...wanted },
    });
  const outcome = page({ formats, attributes: [{ selector: 'img', attribute: 'src' }] });
  assert.equal(outcome.content.markdown, source.replaceAll('\r', '').trim());
  assert.equal(outcome.content.rawHtml, source);
  assert.deepEqual(outcome.content.links, ['https://example.com/docs/b.md']);
  assert.deepEqual(outcome.content.images, ['https://example.com/docs/d.png']);
  assert.deepEqual(outcome.content.attributes?.[0]?.values, ['d.png']);
  assert.match(outcome.content.html!, /^<html><body><h1>Head<\/h1>/);
  assert.doesNotMatch(outcome.content.html!, /script|title: Tides/);
  assert.deepEqual([outcome.metadata, outcome.document], [{ title: 'Tides' }, undefined]);
  assert.equal(page({ includeTags: ['h1'] }).content.markdown, '# Head');
});

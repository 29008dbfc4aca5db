// RTF: hidden text is removed, styles give headings and code, comments and properties are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseOffice } from '../../../../src/parse/office/office.ts';
import { prepareRtf } from '../../../../src/parse/office/rtf/rtf.ts';
import { rtfText } from '../../../../src/parse/office/rtf/rtf-tokens.ts';
import { htmlOf } from '../../../support/parsed.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const STYLES = '{\\stylesheet{\\s0 Normal;}{\\s1\\b heading 1;}{\\s7 Source Code;}{\\*\\cs9 Source Text;}}';
const parse = (body: string) =>
  parseOffice(
    { kind: 'rtf', name: 'a.rtf', bytes: Buffer.from(`{\\rtf1\\ansi\\ansicpg1252${STYLES}${body}}`, 'latin1') },
    {} as never,
    {} as never,
  );

test('hidden and deleted text is left out', async () => {
  const parsed = await parse('\\pard one {\\v HIDDEN \\u8364?}two{\\deleted OLD} {\\revised three}\\par');
  assert.equal(htmlOf(parsed), '<p>one two three</p>');
});

test('superscript and subscript are marked, also around escaped characters', async () => {
  const parsed = await parse("\\pard m{\\super 2\\'b2\\u945?} and x\\sub 1\\nosupersub  end\\par");
  assert.match(htmlOf(parsed), /m<sup>2²α<\/sup> and x<sub>1<\/sub>\s+end/);
});

test('headings and code are recognised by the names of their styles', async () => {
  const parsed = await parse(
    '\\pard\\s1 Title\\par\\pard\\plain\\s7 if a:\\par\\pard\\s7   stop\\par\\pard\\s0 call {\\cs9 stop()} now\\par',
  );
  assert.equal(
    htmlOf(parsed),
    '<h1>Title</h1>\n<pre><code>if a:\n  stop</code></pre>\n<p>call <code>stop()</code> now</p>',
  );
});

test('comments and properties are decoded with the code page of the file', async () => {
  const parsed = await parse(
    "{\\info{\\title Caf\\'e9}{\\author Ann}{\\creatim\\yr2026\\mo3\\dy1\\hr9\\min5}}\\pard text{\\*\\atnauthor Bob}{\\*\\annotation{\\*\\atnref 1}Why?}\\par",
  );
  assert.match(htmlOf(parsed), /<strong>Bob<\/strong>: Why\?/);
  assert.deepEqual(parsed.metadata, { title: 'Café', author: 'Ann', publishedTime: '2026-03-01T09:05:00.000Z' });
});

test('preparing any input ends and keeps its braces balanced', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '\\',
    "\\'",
    '\\u-5',
    '\\uc9',
    '\\bin3 ',
    '\\v',
    '\\super',
    '\\s1 ',
    '\\par',
    'ab',
    '\n',
    '\\*',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const source = `{\\rtf1 ${pieces.join('')}`;
      const prepared = Buffer.from(prepareRtf(Buffer.from(source, 'latin1')).bytes).toString('latin1');
      const balance = (text: string) => text.split('{').length - text.split('}').length;
      assert.equal(balance(prepared), balance(source));
      rtfText(source, 0, source.length, 'windows-1252');
    }),
    { numRuns: runs(300, 6_000), seed: seedOr(7) },
  );
});

// Any mail, notebook or TeX file becomes complete HTML that runs no code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bodyFragment } from '../../src/markup/html/fragment.ts';
import { parseMail } from '../../src/parse/mail/mail.ts';
import { plainTextHtml } from '../../src/parse/mail/plain-body.ts';
import { parseNotebook } from '../../src/parse/notebook/notebook.ts';
import { rtfBody } from '../../src/parse/outlook/rtf-body.ts';
import { parseTex } from '../../src/parse/tex/tex.ts';
import { htmlOf, markdownOf, parsedBy } from '../support/parsed.ts';
import { runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_260_815);
const RUNS = { seed: SEED, numRuns: runs(300, 6_000) };

const mixed = (...pieces: string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...pieces) },
        { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));

const MARKUP = mixed(
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<td>',
  '</td>',
  '<table>',
  '</table>',
  '<tr>',
  '<li>',
  '</div>',
  '<div>',
  '<br/>',
  '<a id="x"/>',
  '<script>',
  '</script>',
  '<!--',
  '-->',
  '<img src=x onerror=y>',
  '<![CDATA[',
  ']]>',
  '&lt;',
  '<p title="',
);

test('an HTML fragment is balanced and has no scripts or event handlers', () => {
  fc.assert(
    fc.property(MARKUP, fc.boolean(), (source, xml) => {
      const html = bodyFragment(source, {
        xml,
        link: (href) => href,
        picture: () => undefined,
        anchorName: (name) => name,
      });
      assert.doesNotMatch(html.replace(/="[^"]*"/g, ''), /<script|<[a-z]+[^>]* onerror/i);
      const open: string[] = [];
      for (const [, end, name] of html.matchAll(/<(\/?)([a-z][\w-]*)(?: [^<>"]+="[^"]*")*>/g)) {
        if (name === 'br' || name === 'img') continue;
        if (end === '') open.push(name!);
        else assert.equal(open.pop(), name, html);
      }
      assert.deepEqual(open, [], html);
    }),
    RUNS,
  );
});

test('plain text keeps its words and closes every quotation it opens', () => {
  fc.assert(
    fc.property(mixed('> ', '>', '\n', '\n\n', 'word ', '   ', 'http://a.example/', '<b>', '\t'), (source) => {
      const html = plainTextHtml(source);
      assert.equal(html.split('<blockquote>').length, html.split('</blockquote>').length);
      const words = (text: string) => text.match(/word/g)?.length ?? 0;
      assert.equal(words(html.replace(/ href="[^"]*"/g, '')), words(source));
    }),
    RUNS,
  );
});

test('any RTF is read to its end', () => {
  fc.assert(
    fc.property(
      mixed(
        '{',
        '}',
        '\\par ',
        "\\'e9",
        '\\u8364?',
        '{\\*\\htmltag64 <p>}',
        '\\htmlrtf ',
        '\\htmlrtf0 ',
        '\\uc',
        '\\f1',
        '\\fonttbl',
      ),
      (source) => {
        for (const start of ['{\\rtf1 ', '{\\rtf1\\fromhtml1 ']) {
          const body = rtfBody(Buffer.from(`${start}${source} }`, 'latin1'));
          assert.equal(typeof ('html' in body ? body.html : body.text), 'string');
        }
      },
    ),
    RUNS,
  );
});

test('any TeX is read, and markup in it becomes text', async () => {
  const source = mixed(
    '{',
    '}',
    '$',
    '$$',
    '\\(',
    '\\begin{itemize}',
    '\\end{itemize}',
    '\\item ',
    '\\item[',
    '\\textbf{',
    '\\begin{tabular}{l}',
    '&',
    '\\\\',
    '\\footnote{',
    '%',
    '\n\n',
    '\\newcommand{\\x}[1]{',
    '\\x',
    '#1',
    '<script>',
    '\\title{',
    '\\verb|',
    '\\end{tabular}',
    '[',
    ']',
  );
  await fc.assert(
    fc.asyncProperty(source, async (text) => {
      assert.doesNotMatch(htmlOf(await parsedBy(parseTex, text)), /<script/);
    }),
    RUNS,
  );
});

test('any notebook is read, or refused with an error code', async () => {
  const cell = fc.record(
    {
      cell_type: fc.constantFrom('code', 'markdown', 'raw', 'heading', 7),
      source: fc.jsonValue(),
      outputs: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(cell, fc.jsonValue())), fc.jsonValue(), async (cells, metadata) => {
      const parsed = await parsedBy(parseNotebook, JSON.stringify({ nbformat: 4, metadata, cells }));
      assert.equal(typeof markdownOf(parsed), 'string');
    }),
    RUNS,
  );
});

test('any mail is read, or refused with an error code', async () => {
  const source = mixed(
    'Subject: a\r\n',
    'From: a <b@c>\r\n',
    'Content-Type: multipart/mixed; boundary=x\r\n',
    '\r\n',
    '--x\r\n',
    '--x--\r\n',
    'Content-Type: text/html\r\n',
    'Content-Type: message/rfc822\r\n',
    '<p>',
    '=?utf-8?Q?=E4?=',
    'Content-Transfer-Encoding: base64\r\n',
    '> a\r\n',
  );
  await fc.assert(
    fc.asyncProperty(source, async (text) => {
      assert.doesNotMatch(htmlOf(await parsedBy(parseMail, text)), /<script/);
    }),
    RUNS,
  );
});

// LaTeX: what commands become, what is left out, and hostile sources.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTex } from '../../../../src/parse/tex/tex.ts';
import { htmlOf, parsedBy } from '../../../support/parsed.ts';

const html = async (source: string): Promise<string> =>
  htmlOf(await parsedBy(parseTex, source))
    .replace(/\s*\n\s*/g, '')
    .replace(/(?:<p>)+$/, '');
const math = (tex: string): string => `<math alttext="${tex}"><mtext>${tex}</mtext></math>`;

const CASES: [what: string, source: string, expected: string][] = [
  ['paragraphs end with a blank line', 'a\nb\n\n  \nc', '<p>ab<p>c'],
  ['a comment swallows its line end', 'a% b\nc \\% d', '<p>ac % d'],
  [
    'emphasis in old and new syntax',
    '\\textbf{a} \\emph{b} {\\bf c} {\\it d}',
    '<p><b>a</b> <em>b</em> <b>c</b> <em>d</em>',
  ],
  ['a declaration outside a group has no effect', '\\bf a', '<p>a'],
  ['headings', '\\section[s]{A \\emph{b}}\\subsection*{C}', '<h1>A <em>b</em></h1><h2>C</h2>'],
  ['symbols and accents', "\\'e\\`{a}\\\"\\i \\c{c}\\ss{} \\& \\_ \\ldots\\ x--y ``q''", '<p>éàïçß &amp; _ … x–y “q”'],
  ['formulas', '$a<b$ \\(c\\)', `<p>${math('a&lt;b')} ${math('c')}`],
  ['an unmatched dollar sign is text', '5$ a\n\nb', '<p>5$ a<p>b'],
  [
    'links',
    '\\href{http://a/\\%20\\#x}{t} \\url{http://b/?a=1&b}',
    '<p><a href="http://a/%20#x">t</a> <a href="http://b/?a=1&amp;b">http://b/?a=1&amp;b</a>',
  ],
  ['citations and references', '\\cite[see][p.~2]{a,b} \\ref{c}', '<p>see [a, b, p.\u00a02] [c]'],
  ['inline code', '\\verb|a{$| \\verb+b', '<p><code>a{$</code> b'],
  ['unknown commands are dropped, and their text is kept', '\\foo[x]{bar}\\baz', '<p>bar'],
  ['layout commands are dropped', 'a\\vspace{1cm}\\label{x}\\index{y}b\\includegraphics[width=1cm]{f}', '<p>ab'],
  ['macros are expanded', '\\newcommand{\\x}{X\\y}\\def\\y{Y}\\x{} \\x', '<p>XY XY'],
  ['macros with arguments are expanded', '\\newcommand{\\v}[2]{$#1_{#2}$}\\v{a}{b}', `<p>${math('a_{b}')}`],
  [
    'macros are not expanded in code',
    '\\newcommand{\\x}{X}\\begin{verbatim}\\x\\end{verbatim}',
    '<pre><code>\\x</code></pre>',
  ],
  ['lists', '\\begin{itemize}\\item a \\item[b] c\\end{itemize}', '<ul><li>a<li>b c</ul>'],
  [
    'description lists',
    '\\begin{description}\\item[\\emph{a}] b\\end{description}',
    '<dl><dt><em>a</em></dt><dd>b</dl>',
  ],
  [
    'tables',
    '\\begin{tabular}{l|r}a & b\\\\\\hline c \\& d & \\textbf{e}\\end{tabular}',
    '<table><tr><th>a</th><th style="text-align:right">b</th></tr><tr><td>c &amp; d</td><td style="text-align:right"><b>e</b></td></tr></table>',
  ],
  ['an environment without an end closes at the end of the text', '\\begin{quote}a', '<blockquote>a</blockquote>'],
  ['an end without a beginning is ignored', 'a\\end{quote}}b', '<p>ab'],
  [
    'drawings and comment environments are dropped',
    'a\\begin{tikzpicture}\\draw;\\end{tikzpicture}\\begin{comment}x\\end{comment}b',
    '<p>ab',
  ],
];

for (const [what, source, expected] of CASES) {
  test(what, async () => assert.equal((await html(source)).replace(/ (?=<(?:li|\/))/g, ''), expected));
}

test('footnotes go to the end, with their marks in the text', async () => {
  const text = await html('a\\footnote{b \\emph{c}} d\\footnote{e}');
  assert.equal(
    text,
    '<p>a<sup><a href="#fn1">1</a></sup> d<sup><a href="#fn2">2</a></sup><p id="fn1">b <em>c</em></p><p id="fn2">e</p>',
  );
});

test('title, authors and date become metadata and precede the text', async () => {
  const source =
    '\\title{A \\emph{b}}\\author{X\\thanks{y} \\and Z\\\\ Place}\\date{2020-01-02}\\begin{document}Text\\end{document}no';
  const parsed = await parsedBy(parseTex, source);
  assert.deepEqual(parsed.metadata, { title: 'A b', author: 'X, Z, Place', publishedTime: '2020-01-02T00:00:00.000Z' });
  assert.match(htmlOf(parsed), /^<h1>A <em>b<\/em><\/h1>[\s\S]*Text$/);
});

test('included files are reported in a warning and never read', async () => {
  const parsed = await parsedBy(parseTex, 'a\\input{/etc/passwd}b');
  assert.match(htmlOf(parsed), /ab$/);
  assert.deepEqual(parsed.warnings, ['The source includes other files, which were not read.']);
});

test('recursive macros end', async () => {
  const loop = '\\newcommand{\\a}{\\b\\b}\\newcommand{\\b}{\\a\\a}\\a';
  const bomb = `\\newcommand{\\c}{${'\\d'.repeat(500)}}\\newcommand{\\d}{${'\\e'.repeat(500)}}\\newcommand{\\e}{${'x'.repeat(500)}}\\c`;
  assert.equal(typeof (await html(loop)), 'string');
  assert.ok((await html(bomb)).length < 2_000_000);
});

// Each of these takes minutes if the scanner searches again for every character.
const ENDLESS = [
  '{',
  '}',
  '\\url{',
  '\\textbf{',
  '\\begin{itemize}\\item ',
  '$x ',
  '\\(',
  '\\verb|',
  '\\cite[',
  '\\footnote{',
  '\\begin{verbatim}',
  '\\newcommand{',
  '\\section[',
  'a & b \\\\ ',
];

for (const piece of ENDLESS) {
  test(`a source of only ${piece} is read`, async () => {
    assert.equal(typeof (await html(piece.repeat(20_000))), 'string');
  });
}

// LaTeX: what its commands become, what is left out, and sources that were made to hurt.
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
  ['comments go with their line end', 'a% b\nc \\% d', '<p>ac % d'],
  ['emphasis of both ages', '\\textbf{a} \\emph{b} {\\bf c} {\\it d}', '<p><b>a</b> <em>b</em> <b>c</b> <em>d</em>'],
  ['a declaration outside of a group holds for nothing', '\\bf a', '<p>a'],
  ['headings', '\\section[s]{A \\emph{b}}\\subsection*{C}', '<h1>A <em>b</em></h1><h2>C</h2>'],
  ['signs and accents', "\\'e\\`{a}\\\"\\i \\c{c}\\ss{} \\& \\_ \\ldots\\ x--y ``q''", '<p>éàïçß &amp; _ … x–y “q”'],
  ['formulas', '$a<b$ \\(c\\)', `<p>${math('a&lt;b')} ${math('c')}`],
  ['a dollar that closes nothing is one', '5$ a\n\nb', '<p>5$ a<p>b'],
  [
    'links',
    '\\href{http://a/\\%20\\#x}{t} \\url{http://b/?a=1&b}',
    '<p><a href="http://a/%20#x">t</a> <a href="http://b/?a=1&amp;b">http://b/?a=1&amp;b</a>',
  ],
  ['citations and references', '\\cite[see][p.~2]{a,b} \\ref{c}', '<p>see [a, b, p.\u00a02] [c]'],
  ['code in a line', '\\verb|a{$| \\verb+b', '<p><code>a{$</code> b'],
  ['unknown commands leave their text', '\\foo[x]{bar}\\baz', '<p>bar'],
  ['what is only for the layout goes', 'a\\vspace{1cm}\\label{x}\\index{y}b\\includegraphics[width=1cm]{f}', '<p>ab'],
  ['own commands are put in', '\\newcommand{\\x}{X\\y}\\def\\y{Y}\\x{} \\x', '<p>XY XY'],
  ['own commands with arguments too', '\\newcommand{\\v}[2]{$#1_{#2}$}\\v{a}{b}', `<p>${math('a_{b}')}`],
  [
    'own commands are not put into code',
    '\\newcommand{\\x}{X}\\begin{verbatim}\\x\\end{verbatim}',
    '<pre><code>\\x</code></pre>',
  ],
  ['lists', '\\begin{itemize}\\item a \\item[b] c\\end{itemize}', '<ul><li>a<li>b c</ul>'],
  ['terms', '\\begin{description}\\item[\\emph{a}] b\\end{description}', '<dl><dt><em>a</em></dt><dd>b</dl>'],
  [
    'tables',
    '\\begin{tabular}{l|r}a & b\\\\\\hline c \\& d & \\textbf{e}\\end{tabular}',
    '<table><tr><th>a</th><th style="text-align:right">b</th></tr><tr><td>c &amp; d</td><td style="text-align:right"><b>e</b></td></tr></table>',
  ],
  ['an environment without an end ends with the text', '\\begin{quote}a', '<blockquote>a</blockquote>'],
  ['an end without a beginning is nothing', 'a\\end{quote}}b', '<p>ab'],
  [
    'drawings and remarks of the author go',
    'a\\begin{tikzpicture}\\draw;\\end{tikzpicture}\\begin{comment}x\\end{comment}b',
    '<p>ab',
  ],
];

for (const [what, source, expected] of CASES) {
  test(what, async () => assert.equal((await html(source)).replace(/ (?=<(?:li|\/))/g, ''), expected));
}

test('notes stand at the end, with their marks in the text', async () => {
  const text = await html('a\\footnote{b \\emph{c}} d\\footnote{e}');
  assert.equal(
    text,
    '<p>a<sup><a href="#fn1">1</a></sup> d<sup><a href="#fn2">2</a></sup><p id="fn1">b <em>c</em></p><p id="fn2">e</p>',
  );
});

test('title, authors and date are metadata, and stand above the text without being asked for', async () => {
  const source =
    '\\title{A \\emph{b}}\\author{X\\thanks{y} \\and Z\\\\ Place}\\date{2020-01-02}\\begin{document}Text\\end{document}no';
  const parsed = await parsedBy(parseTex, source);
  assert.deepEqual(parsed.metadata, { title: 'A b', author: 'X, Z, Place', publishedTime: '2020-01-02T00:00:00.000Z' });
  assert.match(htmlOf(parsed), /^<h1>A <em>b<\/em><\/h1>[\s\S]*Text$/);
});

test('other files are named in a warning and never read', async () => {
  const parsed = await parsedBy(parseTex, 'a\\input{/etc/passwd}b');
  assert.match(htmlOf(parsed), /ab$/);
  assert.deepEqual(parsed.warnings, ['The source includes other files, which were not read.']);
});

test('commands that contain each other end', async () => {
  const loop = '\\newcommand{\\a}{\\b\\b}\\newcommand{\\b}{\\a\\a}\\a';
  const bomb = `\\newcommand{\\c}{${'\\d'.repeat(500)}}\\newcommand{\\d}{${'\\e'.repeat(500)}}\\newcommand{\\e}{${'x'.repeat(500)}}\\c`;
  assert.equal(typeof (await html(loop)), 'string');
  assert.ok((await html(bomb)).length < 2_000_000);
});

// Each of these takes minutes when a search is made again for every sign.
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
  test(`a source of nothing but ${piece} is read`, async () => {
    assert.equal(typeof (await html(piece.repeat(20_000))), 'string');
  });
}
